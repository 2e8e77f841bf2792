"""An encoder with heads for arcs, labels, tags and lemmas: biaffine attention (Dozat & Manning 2017) over words."""
import jax
import jax.numpy as jnp
import numpy as np

MIXED = 4
ARC, LABEL = 256, 128
DROPOUT, HEAD_DROPOUT = 0.1, 0.33

MATRICES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
}
NORMS = {"attended_norm": "attention.output.LayerNorm", "outer_norm": "output.LayerNorm"}


def from_tensors(tensors, layers):
    """Parameters of the first layers, those of all layers one above the other, so that one loop goes over them."""
    take = lambda name: jnp.asarray(tensors[name], jnp.float32)
    stacked = {}
    for own, name in {**MATRICES, **NORMS}.items():
        for kind in ("weight", "bias"):
            stacked[f"{own}.{kind}"] = jnp.stack([take(f"encoder.layer.{k}.{name}.{kind}") for k in range(layers)])
    return {
        "pieces": take("embeddings.word_embeddings.weight"),
        "positions": take("embeddings.position_embeddings.weight"),
        "type": take("embeddings.token_type_embeddings.weight")[0],
        "norm.weight": take("embeddings.LayerNorm.weight"),
        "norm.bias": take("embeddings.LayerNorm.bias"),
        "layers": stacked,
    }


def to_tensors(encoder):
    """The inverse of `from_tensors`."""
    numbers = lambda value: np.asarray(value, np.float32)
    tensors = {
        "embeddings.word_embeddings.weight": numbers(encoder["pieces"]),
        "embeddings.position_embeddings.weight": numbers(encoder["positions"]),
        "embeddings.token_type_embeddings.weight": numbers(encoder["type"])[None],
        "embeddings.LayerNorm.weight": numbers(encoder["norm.weight"]),
        "embeddings.LayerNorm.bias": numbers(encoder["norm.bias"]),
    }
    for own, name in {**MATRICES, **NORMS}.items():
        for kind in ("weight", "bias"):
            for k, value in enumerate(numbers(encoder["layers"][f"{own}.{kind}"])):
                tensors[f"encoder.layer.{k}.{name}.{kind}"] = value
    return tensors


def new_heads(size, counts, seed):
    """`counts`: how many labels, tags and lemma scripts there are."""
    labels, tags, lemmas = counts
    random = np.random.default_rng(seed)
    matrix = lambda *shape: jnp.asarray(random.normal(0, 1 / np.sqrt(shape[-1]), shape), jnp.float32)
    zeros = lambda *shape: jnp.zeros(shape, jnp.float32)
    heads = {"mix": zeros(MIXED), "arc": zeros(ARC + 1, ARC), "label": zeros(labels, LABEL + 1, LABEL + 1)}
    for name, width in (("arc_dependent", ARC), ("arc_head", ARC), ("label_dependent", LABEL), ("label_head", LABEL)):
        heads[f"{name}.weight"], heads[f"{name}.bias"] = matrix(width, size), zeros(width)
    for name, width in (("tag", tags), ("lemma", lemmas)):
        heads[f"{name}.weight"], heads[f"{name}.bias"] = zeros(width, size), zeros(width)
    return heads


def normalize(x, weight, bias):
    x = x.astype(jnp.float32)
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-12) * weight + bias


def dropped(x, share, key):
    if key is None:
        return x
    return jnp.where(jax.random.bernoulli(key, 1 - share, x.shape), x / (1 - share), 0).astype(x.dtype)


def split(key, count):
    return [None] * count if key is None else list(jax.random.split(key, count))


def linear(x, weight, bias, kind):
    """Over rows, not sentences of rows: gradients of matrices take a third of the time less on a CPU."""
    rows = x.astype(kind).reshape(-1, x.shape[-1]) @ weight.astype(kind).T + bias.astype(kind)
    return rows.reshape(*x.shape[:-1], -1)


def encode(encoder, heads_count, ids, mask, key, kind):
    """Vectors of pieces: those of the last layers."""
    length = ids.shape[1]
    first, rest = split(key, 2)
    x = encoder["pieces"][ids] + encoder["positions"][:length] + encoder["type"]
    x = dropped(normalize(x, encoder["norm.weight"], encoder["norm.bias"]), DROPOUT, first)
    bias = jnp.where(mask[:, None, None, :], 0.0, -1e9)
    count = encoder["layers"]["query.bias"].shape[0]
    keys = None if rest is None else jax.random.split(rest, count)

    def layer(x, given):
        own, key = given
        k1, k2, k3 = split(key, 3)
        part = lambda name: linear(x, own[f"{name}.weight"], own[f"{name}.bias"], kind).reshape(
            *x.shape[:2], heads_count, -1
        )
        q, k, v = part("query"), part("key"), part("value")
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) / np.sqrt(q.shape[-1]) + bias
        weights = dropped(jax.nn.softmax(scores), DROPOUT, k1).astype(kind)
        y = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape)
        y = dropped(linear(y, own["attended.weight"], own["attended.bias"], kind), DROPOUT, k2)
        x = normalize(x + y, own["attended_norm.weight"], own["attended_norm.bias"])
        y = jax.nn.gelu(linear(x, own["inner.weight"], own["inner.bias"], kind), approximate=False)
        y = dropped(linear(y, own["outer.weight"], own["outer.bias"], kind), DROPOUT, k3)
        x = normalize(x + y, own["outer_norm.weight"], own["outer_norm.bias"])
        return x, x

    _, all_layers = jax.lax.scan(layer, x, (encoder["layers"], keys), unroll=jax.default_backend() == "cpu")
    return all_layers[-MIXED:]


def word_vectors(params, heads_count, batch, key, kind):
    """The mean of the pieces of each word, of the last layers mixed; 0 is the root."""
    ids, words = batch["ids"], batch["words"]
    layers = encode(params["encoder"], heads_count, ids, batch["mask"], key, kind)
    mix = jax.nn.softmax(params["heads"]["mix"][-layers.shape[0] :])
    pieces = jnp.einsum("l,lbpd->bpd", mix, layers)
    own = (words[:, None, :] == jnp.arange(words.shape[1])[None, :, None]).astype(jnp.float32)
    return jnp.einsum("bwp,bpd->bwd", own, pieces) / jnp.maximum(own.sum(-1, keepdims=True), 1)


def views(params, vectors, key, kind):
    """What arcs, labels, tags and lemmas are decided by."""
    heads = params["heads"]
    k0, *keys = split(key, 5)
    x = dropped(vectors, HEAD_DROPOUT, k0)
    part = lambda name, key: dropped(
        jax.nn.leaky_relu(linear(x, heads[f"{name}.weight"], heads[f"{name}.bias"], kind), 0.1), HEAD_DROPOUT, key
    )
    dependent, head = part("arc_dependent", keys[0]), part("arc_head", keys[1])
    ones = jnp.ones((*dependent.shape[:2], 1), kind)
    arcs = jnp.einsum("bdi,ij,bhj->bdh", jnp.concatenate([dependent, ones], -1), heads["arc"].astype(kind), head)
    label = (part("label_dependent", keys[2]), part("label_head", keys[3]))
    tags = linear(x, heads["tag.weight"], heads["tag.bias"], kind).astype(jnp.float32)
    lemmas = linear(x, heads["lemma.weight"], heads["lemma.bias"], kind).astype(jnp.float32)
    return arcs.astype(jnp.float32), label, tags, lemmas


def label_scores(params, label, chosen, kind):
    """Scores of the labels of the arcs from the chosen heads."""
    dependent, head = label
    head = jnp.take_along_axis(head, chosen[..., None], 1)
    ones = jnp.ones((*dependent.shape[:2], 1), kind)
    extend = lambda x: jnp.concatenate([x, ones], -1)
    weights = params["heads"]["label"].astype(kind)
    rows = extend(dependent).reshape(-1, LABEL + 1) @ weights.transpose(1, 0, 2).reshape(LABEL + 1, -1)
    scores = jnp.einsum("ncj,nj->nc", rows.reshape(-1, *weights.shape[::2]), extend(head).reshape(-1, LABEL + 1))
    return scores.reshape(*chosen.shape, -1).astype(jnp.float32)


def no_such_head(arcs, counts):
    """A word is not its own head, and no head lies beyond the sentence."""
    size = arcs.shape[-1]
    places = jnp.arange(size)
    return jnp.where((places[None, None, :] > counts[:, None, None]) | (places[:, None] == places[None, :]), -1e9, arcs)


def loss(params, heads_count, batch, key, kind):
    """Cross-entropy with the wanted distributions, each given by its most probable values."""
    k1, k2 = split(key, 2)
    arcs, label, tags, lemmas = views(params, word_vectors(params, heads_count, batch, k1, kind), k2, kind)
    arcs = no_such_head(arcs, batch["counts"])
    labels = label_scores(params, label, batch["arc"][0][..., 0], kind)
    total = 0.0
    for scores, name in ((arcs, "arc"), (labels, "label"), (tags, "tag"), (lemmas, "lemma")):
        values, shares = batch[name]
        logs = jnp.take_along_axis(jax.nn.log_softmax(scores), values, -1)
        total -= (logs * shares).sum()
    return total / jnp.maximum(batch["arc"][1].sum(), 1)
