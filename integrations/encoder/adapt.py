"""Adapts an encoder to parsing: fine-tunes it on treebanks, and on text with what several teachers hold of it.

    python adapt.py --encoder e5 --layers 6 --treebank train.conllu --dev dev.conllu --out adapted
    python adapt.py --encoder e5 --layers 6 --treebank train.conllu --dev dev.conllu \\
        --teacher e5 --teacher e5 --teacher e5 --text text.txt.gz --words 3000000 --work work --out adapted

`--out` is a folder that `stemma train --encoder` takes. With `--teacher`, each of these encoders is fine-tuned on the
treebank with all its layers, and the encoder itself learns from their mean distributions over the text (Hinton et al.
2015) besides the treebank. What is finished is kept in `--work`: a run that was interrupted goes on from there.
"""
import argparse
import gzip
import hashlib
import json
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import encoders
import model
from data import Pieces, batches, lemma_by, read_conllu, read_text, script_of

BEST = {"arc": 6, "label": 4, "tag": 3, "lemma": 2}
FEWEST_LEMMAS = 2


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--encoder", required=True, help="folder of the encoder to adapt")
    parser.add_argument("--layers", type=int, action="append", help="take only its first layers (default: all); may be repeated, with an --out for each")
    parser.add_argument("--treebank", action="append", required=True, help="CoNLL-U to learn from; may be repeated")
    parser.add_argument("--dev", required=True, help="CoNLL-U to test on after every epoch")
    parser.add_argument("--teacher", action="append", default=[], help="folder of an encoder that teaches; may be repeated")
    parser.add_argument("--text", action="append", default=[], help="text, a sentence a line, spaces between tokens")
    parser.add_argument("--words", type=int, default=3_000_000, help="words of each text, at most (default: 3000000)")
    parser.add_argument("--silver", help="also write the text with the teachers' trees, as CoNLL-U (.gz), in parts")
    parser.add_argument("--epochs", type=int, default=12, help="epochs on the treebank (default: 12)")
    parser.add_argument("--text-epochs", type=int, default=4, help="epochs with text (default: 4)")
    parser.add_argument("--treebank-weight", type=int, default=3, help="with text: copies of the treebank (default: 3)")
    parser.add_argument("--rate", type=float, default=1.5e-4, help="learning rate of encoders (default: 1.5e-4)")
    parser.add_argument("--head-rate", type=float, default=1e-3, help="learning rate of the rest (default: 1e-3)")
    parser.add_argument("--batch", type=int, default=5000, help="pieces in a batch (default: 5000)")
    parser.add_argument("--least", type=int, default=20, help="pieces that were seen less often leave its vocabulary (default: 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="folder for what is finished, to go on from")
    parser.add_argument("--out", action="append", required=True, help="folder to write")
    given = parser.parse_args()
    given.layers = given.layers or [None]
    if len(given.layers) != len(given.out):
        parser.error(f"--out was given {len(given.out)} times, --layers {len(given.layers)} times (expected an --out for each)")
    return given


class Inventory:
    """Labels, tags and lemma scripts of the treebanks, by number."""

    def __init__(self, sentences):
        scripts = Counter(script_of(f, l) for s in sentences for f, l in zip(s.forms, s.lemmas))
        self.labels = sorted({label for s in sentences for label in s.labels})
        self.tags = sorted({tag for s in sentences for tag in s.tags})
        self.scripts = sorted(script for script, count in scripts.items() if count >= FEWEST_LEMMAS)
        self.number = {
            name: {value: k for k, value in enumerate(values)}
            for name, values in (("label", self.labels), ("tag", self.tags), ("lemma", self.scripts))
        }

    @property
    def counts(self):
        return len(self.labels), len(self.tags), len(self.scripts)


def gold_targets(sentence, inventory):
    """Wanted values and their shares: the first of them is right."""
    wanted = {"arc": sentence.heads}
    wanted["label"] = [inventory.number["label"].get(label, -1) for label in sentence.labels]
    wanted["tag"] = [inventory.number["tag"].get(tag, -1) for tag in sentence.tags]
    wanted["lemma"] = [
        inventory.number["lemma"].get(script_of(f, l), -1) for f, l in zip(sentence.forms, sentence.lemmas)
    ]
    targets = {}
    for name, most in BEST.items():
        values = np.zeros((len(sentence.forms), most), np.int32)
        shares = np.zeros((len(sentence.forms), most), np.float32)
        own = np.array(wanted[name])
        values[:, 0], shares[:, 0] = np.maximum(own, 0), own >= 0
        targets[name] = (values, shares)
    return targets


class Examples:
    """Sentences as pieces, with what is wanted of them if that is known."""

    def __init__(self, sentences, pieces, targets=None):
        self.forms = [s.forms for s in sentences]
        self.encoded = [pieces.encode(forms) for forms in self.forms]
        self.targets = targets

    def sizes(self):
        return [(len(ids), k) for k, (ids, _) in enumerate(self.encoded)]

    def batch(self, indices):
        shape = (len(indices), max(len(self.encoded[k][0]) for k in indices))
        ids, words, mask = np.zeros(shape, np.int64), np.full(shape, -1), np.zeros(shape, bool)
        counts = np.array([len(self.forms[k]) for k in indices])
        shape = (len(indices), counts.max() + 1)
        wanted = {name: (np.zeros((*shape, most), np.int64), np.zeros((*shape, most), np.float32)) for name, most in BEST.items()}
        for row, k in enumerate(indices):
            own, places = self.encoded[k]
            ids[row, : len(own)], words[row, : len(own)], mask[row, : len(own)] = own, places, True
            if self.targets is not None:
                for name, (values, shares) in self.targets[k].items():
                    wanted[name][0][row, 1 : len(values) + 1] = values
                    wanted[name][1][row, 1 : len(values) + 1] = shares
        batch = {"ids": ids, "words": words, "mask": mask, "counts": counts, **(wanted if self.targets is not None else {})}
        return {name: tuple(map(on_device, own)) if isinstance(own, tuple) else on_device(own) for name, own in batch.items()}


def joined(one, other):
    both = object.__new__(Examples)
    both.forms, both.encoded, both.targets = one.forms + other.forms, one.encoded + other.encoded, one.targets + other.targets
    return both


DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
# Processors that lack products of 16-bit numbers take far longer for them than for those of 32 bits.
KIND = torch.bfloat16 if DEVICE == "cuda" or getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)() else torch.float32


def on_device(array):
    return torch.from_numpy(array).to(DEVICE)


class Network:
    """A parser and its pieces."""

    def __init__(self, parser, pieces):
        self.parser, self.pieces = parser.to(DEVICE), pieces

    def learn(self, examples, dev, epochs, rates, pieces_each, seed, path=None, after=None):
        """AdamW (Loshchilov & Hutter 2019), gradients clipped to a norm of 1. After each epoch all that it needs to go on
        is written to `path`."""
        parser = self.parser
        groups = [[], [], [], []]
        for name, values in parser.named_parameters():
            groups[2 * (not name.startswith("encoder.")) + (values.ndim > 1)].append(values)
        options = [{"params": own, "weight_decay": 0.01 * (k % 2)} for k, own in enumerate(groups)]
        optimizer = torch.optim.AdamW(options, lr=0.0, betas=(0.9, 0.98), fused=True)
        begun_with, at, spent = 0, 0, 0.0
        random = np.random.default_rng(seed)
        torch.manual_seed(seed)
        model.RANDOM.bit_generator.state = np.random.SFC64(seed).state
        if path is not None and path.exists():
            state = torch.load(path, weights_only=False)
            parser.load_state_dict(state["parser"])
            begun_with, at, spent = state["epoch"], state["at"], state["spent"]
            optimizer.load_state_dict(state["optimizer"])
            random.bit_generator.state = state["random"]
            torch.set_rng_state(state["torch"])
            model.RANDOM.bit_generator.state = state["dropout"]
        steps = len(batches(examples.sizes(), pieces_each, None)) * epochs
        for epoch in range(begun_with + 1, epochs + 1):
            begun, total = time.time(), 0.0
            parser.train()
            order = batches(examples.sizes(), pieces_each, random)
            for indices in order:
                at += 1
                share = min(at / (0.05 * steps + 1), max(0.0, (steps - at) / (0.95 * steps + 1)))
                for k, group in enumerate(optimizer.param_groups):
                    group["lr"] = rates[k // 2] * share
                lost = parser.loss(examples.batch(indices), KIND)
                optimizer.zero_grad()
                lost.backward()
                torch.nn.utils.clip_grad_norm_(parser.parameters(), 1.0)
                optimizer.step()
                total += lost.item()
            spent += time.time() - begun
            said = f"epoch {epoch} of {epochs}: {spent:.0f} s, loss {total / len(order):.3f}"
            print(f"{said}, {scores_text([self], dev)}", flush=True)
            if path is not None:
                state = {"epoch": epoch, "at": at, "spent": spent, "parser": parser.state_dict(), "optimizer": optimizer.state_dict()}
                save(path, {**state, "random": random.bit_generator.state, "torch": torch.get_rng_state(), "dropout": model.RANDOM.bit_generator.state})
            if after is not None:
                after()


def save(path, state):
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def held(networks, sentences, pieces_each):
    """The mean distributions of several networks: for each sentence the best values of each kind with their shares."""
    inputs = {}
    for network in networks:
        if id(network.pieces) not in inputs:
            inputs[id(network.pieces)] = Examples(sentences, network.pieces)
    sizes = [max(len(own.encoded[k][0]) for own in inputs.values()) for k in range(len(sentences))]
    found = [None] * len(sentences)
    mean = lambda values: sum(values) / len(networks)
    for network in networks:
        network.parser.eval()
    for indices in batches([(size, k) for k, size in enumerate(sizes)], 2 * pieces_each, None):
        with torch.inference_mode():
            looks = [n.parser.scores(inputs[id(n.pieces)].batch(indices), KIND) for n in networks]
            arcs, tags, lemmas = (mean([F.softmax(own[k], -1) for own in looks]) for k in (0, 2, 3))
            labels = mean([F.softmax(n.parser.label_scores(own[1], arcs.argmax(-1)), -1) for n, own in zip(networks, looks)])
            kinds = {"arc": arcs, "label": labels, "tag": tags, "lemma": lemmas}
            best = {name: own.topk(min(BEST[name], own.shape[-1])) for name, own in kinds.items()}
            best = {name: (own.indices.cpu().numpy(), own.values.cpu().numpy()) for name, own in best.items()}
        for row, k in enumerate(indices):
            count = len(sentences[k].forms) + 1
            found[k] = {
                name: (fitted(values[row, 1:count], BEST[name]).astype(np.int16), fitted(shares[row, 1:count], BEST[name]).astype(np.float16))
                for name, (values, shares) in best.items()
            }
    return found


def fitted(values, most):
    return np.pad(values, ((0, 0), (0, most - values.shape[1])))


def normalized(targets):
    """Shares of each kind that add up to 1, as 32-bit numbers. Heads beyond the sentence have none."""
    own = {}
    for name, (values, shares) in targets.items():
        shares = shares.astype(np.float32)
        own[name] = (np.where(shares > 0, values, 0).astype(np.int64), shares / np.maximum(shares.sum(-1, keepdims=True), 1e-6))
    return own


def scores_text(networks, dev):
    sentences, inventory = dev
    found = held(networks, sentences, 5000)
    words = uas = las = upos = tags = lemmas = 0
    for sentence, own in zip(sentences, found):
        if own is None:
            words += len(sentence.forms)
            continue
        for k, form in enumerate(sentence.forms):
            words += 1
            right = own["arc"][0][k, 0] == sentence.heads[k]
            uas += right
            las += right and inventory.labels[own["label"][0][k, 0]] == sentence.labels[k]
            tag = inventory.tags[own["tag"][0][k, 0]]
            tags += tag == sentence.tags[k]
            upos += tag.split("\t")[0] == sentence.tags[k].split("\t")[0]
            lemmas += lemma_by(inventory.scripts[own["lemma"][0][k, 0]], form) == sentence.lemmas[k]
    of = lambda count: f"{100 * count / words:.2f}"
    return f"UAS {of(uas)} LAS {of(las)} UPOS {of(upos)} tags {of(tags)} lemmas {of(lemmas)}"


def tree_of(values, shares):
    """The tree with the highest product of shares: the best heads if they are one, else by Chu-Liu and Edmonds; one root."""
    n = len(values)
    heads = np.concatenate([[0], values[:, 0]]).astype(int)
    if is_tree(heads):
        return heads[1:]
    scores = np.full((n + 1, n + 1), -20.0)
    for k in range(n):
        for value, share in zip(values[k], shares[k]):
            if share > 0:
                scores[k + 1, value] = max(-20.0, float(np.log(float(share) + 1e-9)))
    best, most = None, -np.inf
    roots = sorted(range(1, n + 1), key=lambda d: -scores[d, 0])[:4]
    for root in roots:
        own = scores.copy()
        own[1:, 0] = -1e6
        own[root, :] = -1e6
        own[root, 0] = 0
        found = edmonds(own)
        total = sum(scores[d, found[d]] for d in range(1, n + 1))
        if total > most:
            best, most = found, total
    return best[1:]


def is_tree(heads):
    n = len(heads) - 1
    if sum(1 for d in range(1, n + 1) if heads[d] == 0) != 1:
        return False
    depth = {0: True}
    for d in range(1, n + 1):
        path = []
        while d not in depth:
            if d in path:
                return False
            path.append(d)
            d = heads[d]
        for node in path:
            depth[node] = True
    return True


def edmonds(scores):
    """The maximum spanning tree; scores[d, h]."""
    n = len(scores)
    scores = scores.copy()
    np.fill_diagonal(scores, -np.inf)
    heads = scores.argmax(1)
    heads[0] = -1
    for start in range(1, n):
        seen, node = [], start
        while node > 0 and node not in seen:
            seen.append(node)
            node = heads[node]
        if node <= 0:
            continue
        cycle = seen[seen.index(node) :]
        inside = set(cycle)
        outside = [k for k in range(n) if k not in inside]
        place = {k: i for i, k in enumerate(outside)}
        m = len(outside)
        smaller = np.full((m + 1, m + 1), -np.inf)
        enter, leave = {}, {}
        for d in outside:
            for h in outside:
                smaller[place[d], place[h]] = scores[d, h]
            h = max(cycle, key=lambda c: scores[d, c])
            smaller[place[d], m], leave[d] = scores[d, h], h
        base = sum(scores[c, heads[c]] for c in cycle)
        for h in outside:
            c = max(cycle, key=lambda c: scores[c, h] - scores[c, heads[c]])
            smaller[m, place[h]], enter[h] = base + scores[c, h] - scores[c, heads[c]], c
        found = edmonds(smaller)
        result = heads.copy()
        for d in outside:
            if d != 0:
                h = found[place[d]]
                result[d] = leave[d] if h == m else outside[h]
        h = outside[found[m]]
        result[enter[h]] = h
        return result
    return heads


def write_silver(path, sentences, found, inventory, part_words=1_200_000):
    part, words, file = 0, part_words, None
    for sentence, own in zip(sentences, found):
        if own is None:
            continue
        if words >= part_words:
            if file:
                file.close()
            part, words = part + 1, 0
            file = gzip.open(path.replace(".conllu", f"-{part}.conllu"), "wt", encoding="utf8", compresslevel=9)
        words += len(sentence.forms)
        values, shares = own["arc"]
        heads = tree_of(values, shares)
        for k, form in enumerate(sentence.forms):
            tag = inventory.tags[own["tag"][0][k, 0]]
            lemma = lemma_by(inventory.scripts[own["lemma"][0][k, 0]], form)
            at = next((float(s) for v, s in zip(values[k], shares[k]) if v == heads[k]), 0.0)
            label = "root" if heads[k] == 0 else inventory.labels[own["label"][0][k, 0]]
            if heads[k] != 0 and label == "root":
                label = inventory.labels[own["label"][0][k, 1]]
            score = at * float(own["label"][1][k, 0])
            file.write(f"{k + 1}\t{form}\t{lemma}\t{tag}\t{heads[k]}\t{label}\t_\tScore={score:.3f}\n")
        file.write("\n")
    if file:
        file.close()


def check_begun_with(path, given):
    """What is in the folder belongs to these data and options."""
    files = given.treebank + given.text
    of = {name: value for name, value in vars(given).items() if name not in ("dev", "layers", "out", "silver", "work")}
    of["files"] = [hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in files]
    if not path.exists():
        part = path.with_suffix(".part")
        part.write_text(json.dumps(of, indent=2) + "\n")
        part.replace(path)
    before = json.loads(path.read_text())
    changed = [name for name in of if before.get(name) != of[name]]
    if changed:
        raise SystemExit(f"{path}: begun with other {', '.join(changed)} (expected the same, or another folder as --work)")


def main():
    given = parse_arguments()
    work = Path(given.work) if given.work else None
    if work:
        work.mkdir(parents=True, exist_ok=True)
        check_begun_with(work / "begun-with.json", given)
    gold = [sentence for path in given.treebank for sentence in read_conllu(path)]
    inventory = Inventory(gold)
    dev = (list(read_conllu(given.dev)), inventory)
    text = [sentence for path in given.text for sentence in read_text(path, given.words)]
    print(f"{len(gold)} sentences, {inventory.counts} labels, tags and lemma scripts; {len(text)} sentences of text; {DEVICE}, {KIND}", flush=True)
    loaded = {}

    def network(folder, layers, seed, least=1):
        if (folder, least) not in loaded:
            tensors, tokenizer, heads_count = encoders.read_encoder(folder)
            pieces = Pieces(tokenizer)
            counts = Counter(piece for s in gold + text for form in s.forms for piece in pieces.of(form))
            tensors, tokenizer = encoders.prune(tensors, tokenizer, counts, least)
            loaded[folder, least] = tensors, tokenizer, heads_count, Pieces(tokenizer)
            print(f"{folder}: {len(tokenizer['model']['vocab'])} pieces", flush=True)
        tensors, tokenizer, heads_count, pieces = loaded[folder, least]
        available = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))
        parser = model.Parser(tensors, min(layers or available, available), heads_count, inventory.counts, seed)
        return Network(parser, pieces)

    def kept(name, network, learn):
        """Learns, unless that is finished and kept."""
        path = work and work / f"{name}.pt"
        if path and path.exists():
            network.parser.load_state_dict(torch.load(path))
            print(f"{name}: kept from before, {scores_text([network], dev)}", flush=True)
            return network
        print(name, flush=True)
        learning = work and work / f"{name}.learning"
        learn(network, learning)
        if path:
            save(path, network.parser.state_dict())
            learning.unlink()
        return network

    targets = [gold_targets(sentence, inventory) for sentence in gold]
    teachers = []
    for k, folder in enumerate(given.teacher):
        made = network(folder, None, given.seed + k)
        rate = given.rate if made.parser.encoder.embeddings["word_embeddings"].embedding_dim < 512 else given.rate / 3
        learn = lambda n, path, rate=rate, k=k: n.learn(
            Examples(gold, n.pieces, targets), dev, given.epochs, (rate, given.head_rate), given.batch, given.seed + k, path
        )
        teachers.append(kept(f"teacher-{k + 1}-{Path(folder).name}", made, learn))
    if len(teachers) > 1:
        print(f"teachers together: {scores_text(teachers, dev)}", flush=True)
    epochs, rates = given.epochs, (given.rate, given.head_rate)
    pieces = network(given.encoder, None, given.seed, given.least).pieces
    examples = Examples(gold, pieces, targets)
    if teachers and text:
        begun = time.time()
        found = held(teachers, text, given.batch)
        print(f"{sum(own is not None for own in found)} sentences of text looked at by the teachers: {time.time() - begun:.0f} s", flush=True)
        if given.silver:
            write_silver(given.silver, text, found, inventory)
            print(f"{given.silver} written: {time.time() - begun:.0f} s", flush=True)
        usable = [k for k, own in enumerate(found) if own is not None]
        silver = Examples([text[k] for k in usable], pieces, [normalized(found[k]) for k in usable])
        del teachers[:], found
        for _ in range(given.treebank_weight):
            silver = joined(silver, Examples(gold, pieces, targets))
        examples, epochs = silver, given.text_epochs

    for layers, out in zip(given.layers, given.out):
        student = network(given.encoder, layers, given.seed, given.least)

        def write():
            tensors, tokenizer, heads_count, _ = loaded[given.encoder, given.least]
            encoders.write_encoder(out, {name: value.float().cpu().numpy() for name, value in student.parser.encoder.state_dict().items()}, tokenizer, heads_count)

        name = "student" if layers is None else f"student-{layers}"
        kept(name, student, lambda n, path: n.learn(examples, dev, epochs, rates, given.batch, given.seed, path, write))
        write()
        print(f"{out}: written", flush=True)


if __name__ == "__main__":
    main()
