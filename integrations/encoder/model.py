"""An encoder with heads for arcs, labels, tags and lemmas: biaffine attention (Dozat & Manning 2017) over words."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

MIXED = 4
ARC, LABEL = 256, 128
DROPOUT, HEAD_DROPOUT = 0.1, 0.33
RANDOM = np.random.Generator(np.random.SFC64(1))


class Layer(nn.Module):
    def __init__(self, size, inner, heads):
        super().__init__()
        self.heads = heads
        own = nn.ModuleDict({name: nn.Linear(size, size) for name in ("query", "key", "value")})
        self.attention = nn.ModuleDict({"self": own, "output": output(size, size)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, inner)})
        self.output = output(inner, size)

    def forward(self, x, mask, kind):
        rows = x.to(kind)
        heads = lambda name: linear(self.attention["self"][name], rows).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q, k, v = heads("query"), heads("key"), heads("value")
        # PyTorch's own attention takes five times as long for its gradients on a CPU, with sentences as short as these.
        shares = F.softmax(q @ k.transpose(2, 3) * q.shape[-1] ** -0.5 + mask, -1)
        x = joined(self.attention["output"], (shares @ v).transpose(1, 2).flatten(2), x, self.training)
        return joined(self.output, F.gelu(linear(self.intermediate["dense"], x.to(kind))), x, self.training)


def output(inner, size):
    return nn.ModuleDict({"dense": nn.Linear(inner, size), "LayerNorm": nn.LayerNorm(size, eps=1e-12)})


def linear(layer, x):
    return F.linear(x, layer.weight.to(x.dtype), layer.bias.to(x.dtype))


def joined(part, y, x, training):
    return part["LayerNorm"](x + dropped(linear(part["dense"], y), DROPOUT, training))


def dropped(x, share, training):
    """As F.dropout; on a CPU, NumPy draws five times as fast."""
    if not training or x.device.type != "cpu":
        return F.dropout(x, share, training)
    most = round(256 * share)
    kept = torch.from_numpy(RANDOM.integers(0, 256, x.shape, np.uint8)) >= most
    return x * kept.to(x.dtype) * (256 / (256 - most))


class Encoder(nn.Module):
    """Its parameters have the names that BERT's have in safetensors files."""

    def __init__(self, tensors, layers, heads):
        super().__init__()
        shape = {name: tensors[f"embeddings.{name}_embeddings.weight"].shape for name in ("word", "position", "token_type")}
        size = shape["word"][1]
        inner = tensors["encoder.layer.0.intermediate.dense.weight"].shape[0]
        self.embeddings = nn.ModuleDict({f"{name}_embeddings": nn.Embedding(*own) for name, own in shape.items()})
        self.embeddings["LayerNorm"] = nn.LayerNorm(size, eps=1e-12)
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer(size, inner, heads) for _ in range(layers))})
        self.load_state_dict({name: torch.tensor(tensors[name], dtype=torch.float32) for name in self.state_dict()})

    def forward(self, ids, mask, kind):
        """Vectors of pieces, of the last layers."""
        own = self.embeddings
        x = own["word_embeddings"](ids) + own["position_embeddings"].weight[: ids.shape[1]] + own["token_type_embeddings"].weight[0]
        x = dropped(own["LayerNorm"](x), DROPOUT, self.training)
        bias = torch.zeros(mask.shape, dtype=kind, device=ids.device).masked_fill_(~mask, -1e9)[:, None, None, :]
        found = []
        for layer in self.encoder["layer"]:
            x = layer(x, bias, kind)
            found.append(x)
        return found[-MIXED:]


class Parser(nn.Module):
    """`counts`: how many labels, tags and lemma scripts there are."""

    def __init__(self, tensors, layers, heads, counts, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.encoder = Encoder(tensors, layers, heads)
        size = self.encoder.embeddings["word_embeddings"].weight.shape[1]
        labels, tags, lemmas = counts
        self.mix = nn.Parameter(torch.zeros(min(MIXED, layers)))
        self.arc = nn.Parameter(torch.zeros(ARC + 1, ARC))
        self.label = nn.Parameter(torch.zeros(labels, LABEL + 1, LABEL + 1))
        widths = {"arc_dependent": ARC, "arc_head": ARC, "label_dependent": LABEL, "label_head": LABEL}
        self.views = nn.ModuleDict({name: nn.Linear(size, width) for name, width in widths.items()})
        for layer in self.views.values():
            nn.init.normal_(layer.weight, 0, size**-0.5)
            nn.init.zeros_(layer.bias)
        self.of_words = nn.ModuleDict({"tag": nn.Linear(size, tags), "lemma": nn.Linear(size, lemmas)})
        for layer in self.of_words.values():
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def word_vectors(self, batch, kind):
        """The mean of the pieces of each word, of the last layers mixed; 0 is the root."""
        layers = self.encoder(batch["ids"], batch["mask"], kind)
        pieces = sum(share * layer for share, layer in zip(F.softmax(self.mix, 0), layers))
        count = int(batch["counts"].max()) + 1
        own = (batch["words"][:, None, :] == torch.arange(count, device=pieces.device)[None, :, None]).to(kind)
        own = own / own.sum(-1, keepdim=True).clamp(min=1)
        return own @ pieces.to(kind)

    def scores(self, batch, kind):
        """Scores of heads, tags and lemmas, and what labels are decided by."""
        x = dropped(self.word_vectors(batch, kind), HEAD_DROPOUT, self.training)
        view = lambda name: dropped(F.leaky_relu(linear(self.views[name], x), 0.1), HEAD_DROPOUT, self.training)
        arcs = extended(view("arc_dependent")) @ self.arc.to(kind) @ view("arc_head").transpose(1, 2)
        tags, lemmas = (linear(self.of_words[name], x).float() for name in ("tag", "lemma"))
        label = (extended(view("label_dependent")), extended(view("label_head")))
        return no_such_head(arcs.float(), batch["counts"]), label, tags, lemmas

    def label_scores(self, label, chosen):
        """Scores of the labels of the arcs from the chosen heads."""
        dependent, head = label
        head = head.gather(1, chosen[..., None].expand(*chosen.shape, head.shape[-1])).flatten(0, 1)
        weights = self.label.to(head.dtype)
        rows = (dependent.flatten(0, 1) @ weights.transpose(0, 1).flatten(1)).unflatten(-1, weights.shape[::2])
        return torch.bmm(rows, head[..., None])[..., 0].unflatten(0, chosen.shape).float()

    def loss(self, batch, kind):
        """Cross-entropy with the wanted distributions, each given by its most probable values."""
        arcs, label, tags, lemmas = self.scores(batch, kind)
        labels = self.label_scores(label, batch["arc"][0][..., 0])
        total = 0.0
        for scores, name in ((arcs, "arc"), (labels, "label"), (tags, "tag"), (lemmas, "lemma")):
            values, shares = batch[name]
            total = total - (F.log_softmax(scores, -1).gather(-1, values) * shares).sum()
        return total / batch["arc"][1].sum().clamp(min=1)


def extended(x):
    return F.pad(x, (0, 1), value=1.0)


def no_such_head(arcs, counts):
    """A word is not its own head, and no head lies beyond the sentence."""
    places = torch.arange(arcs.shape[-1], device=arcs.device)
    wrong = (places > counts[:, None, None]) | (places[:, None] == places)
    return arcs.masked_fill(wrong, -1e9)
