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
import time
from collections import Counter
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

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

    def batch(self, length, each, indices):
        shape = (each, length)
        ids, words, mask = np.zeros(shape, np.int32), np.full(shape, -1, np.int32), np.zeros(shape, bool)
        counts = np.zeros(each, np.int32)
        mask[:, 0] = True
        wanted = {name: (np.zeros((*shape, most), np.int32), np.zeros((*shape, most), np.float32)) for name, most in BEST.items()}
        for row, k in enumerate(indices):
            own, places = self.encoded[k]
            ids[row, : len(own)], words[row, : len(own)], mask[row, : len(own)] = own, places, True
            counts[row] = len(self.forms[k])
            if self.targets is not None:
                for name, (values, shares) in self.targets[k].items():
                    wanted[name][0][row, 1 : len(values) + 1] = values
                    wanted[name][1][row, 1 : len(values) + 1] = shares
        return {"ids": ids, "words": words, "mask": mask, "counts": counts, **(wanted if self.targets is not None else {})}


def joined(one, other):
    both = object.__new__(Examples)
    both.forms, both.encoded, both.targets = one.forms + other.forms, one.encoded + other.encoded, one.targets + other.targets
    return both


class Network:
    """An encoder with heads, its pieces and what was compiled for it."""

    compiled = {}

    def __init__(self, params, heads_count, pieces):
        self.params, self.pieces = params, pieces
        kind = jnp.bfloat16 if jax.default_backend() == "gpu" else jnp.float32
        name = (heads_count, kind)
        if name not in Network.compiled:
            Network.compiled[name] = (
                jax.jit(partial(step, heads_count, kind), donate_argnums=(0, 1, 2)),
                jax.jit(partial(look, heads_count, kind)),
                jax.jit(partial(labels_of, kind)),
            )
        self.step, self.look, self.labels = Network.compiled[name]

    def learn(self, examples, dev, epochs, rates, pieces_each, seed, after=None):
        params = self.params
        first = jax.tree.map(jnp.zeros_like, params)
        second = jax.tree.map(jnp.zeros_like, params)
        random, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
        steps = len(batches(examples.sizes(), pieces_each, None)) * epochs
        at, begun = 0, time.time()
        for epoch in range(1, epochs + 1):
            groups = batches(examples.sizes(), pieces_each, random)
            total = 0.0
            for length, each, indices in groups:
                at += 1
                share = min(at / (0.05 * steps + 1), max(0.0, (steps - at) / (0.95 * steps + 1)))
                key, own = jax.random.split(key)
                batch = examples.batch(length, each, indices)
                rate = np.array([rates[0] * share, rates[1] * share], np.float32)
                params, first, second, lost = self.step(params, first, second, batch, own, rate, np.float32(at))
                if at % 50 == 0:
                    total += float(lost)
            self.params = params
            said = f"epoch {epoch} of {epochs}: {time.time() - begun:.0f} s, loss {total / max(1, len(groups) // 50):.3f}"
            if dev is not None:
                said += f", {scores_text([self], dev)}"
            print(said, flush=True)
            if after is not None:
                after(epoch)


def step(heads_count, kind, params, first, second, batch, key, rates, at):
    """AdamW (Loshchilov & Hutter 2019), gradients clipped to a norm of 1."""
    lost, gradients = jax.value_and_grad(model.loss)(params, heads_count, batch, key, kind)
    norm = jnp.sqrt(sum((g**2).sum() for g in jax.tree.leaves(gradients)))
    scale = jnp.minimum(1.0, 1.0 / (norm + 1e-6))
    b1, b2 = 0.9, 0.98
    first = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g * scale, first, gradients)
    second = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * (g * scale) ** 2, second, gradients)

    def moved(rate):
        def move(p, m, v):
            change = (m / (1 - b1**at)) / (jnp.sqrt(v / (1 - b2**at)) + 1e-8)
            return p - rate * (change + (0.01 * p if p.ndim > 1 else 0.0))

        return move

    params = {
        part: jax.tree.map(moved(rates[k]), params[part], first[part], second[part])
        for k, part in enumerate(("encoder", "heads"))
    }
    return params, first, second, lost


def look(heads_count, kind, params, batch):
    arcs, label, tags, lemmas = model.views(params, model.word_vectors(params, heads_count, batch, None, kind), None, kind)
    return jax.nn.softmax(model.no_such_head(arcs, batch["counts"])), label, jax.nn.softmax(tags), jax.nn.softmax(lemmas)


def labels_of(kind, params, label, chosen):
    return jax.nn.softmax(model.label_scores(params, label, chosen, kind))


@partial(jax.jit, static_argnums=1)
def best_of(shares, most):
    shares, values = jax.lax.top_k(shares, min(most, shares.shape[-1]))
    return values.astype(jnp.int32), shares


def held(networks, sentences, pieces_each):
    """The mean distributions of several networks: for each sentence the best values of each kind with their shares."""
    inputs = {}
    for network in networks:
        if id(network.pieces) not in inputs:
            inputs[id(network.pieces)] = Examples(sentences, network.pieces)
    sizes = [max(len(own.encoded[k][0]) for own in inputs.values()) for k in range(len(sentences))]
    found = [None] * len(sentences)
    for length, each, indices in batches([(size, k) for k, size in enumerate(sizes)], 2 * pieces_each, None):
        looks = [n.look(n.params, inputs[id(n.pieces)].batch(length, each, indices)) for n in networks]
        mean = lambda values: sum(values) / len(networks)
        arcs = mean([own[0] for own in looks])
        chosen = arcs.argmax(-1)
        labels = mean([n.labels(n.params, own[1], chosen) for n, own in zip(networks, looks)])
        kinds = {"arc": arcs, "label": labels, "tag": mean([own[2] for own in looks]), "lemma": mean([own[3] for own in looks])}
        best = jax.device_get({name: best_of(shares, BEST[name]) for name, shares in kinds.items()})
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
    """Shares of each kind that add up to 1, as 32-bit numbers."""
    return {
        name: (values.astype(np.int32), (shares.astype(np.float32) / np.maximum(shares.astype(np.float32).sum(-1, keepdims=True), 1e-6)))
        for name, (values, shares) in targets.items()
    }


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


def main():
    given = parse_arguments()
    work = Path(given.work) if given.work else None
    if work:
        work.mkdir(parents=True, exist_ok=True)
    gold = [sentence for path in given.treebank for sentence in read_conllu(path)]
    inventory = Inventory(gold)
    dev = (list(read_conllu(given.dev)), inventory)
    text = [sentence for path in given.text for sentence in read_text(path, given.words)]
    print(f"{len(gold)} sentences, {inventory.counts} labels, tags and lemma scripts; {len(text)} sentences of text; {jax.default_backend()}", flush=True)
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
        encoder = model.from_tensors(tensors, min(layers or available, available))
        heads = model.new_heads(encoder["pieces"].shape[1], inventory.counts, seed)
        return Network({"encoder": encoder, "heads": heads}, heads_count, pieces)

    def kept(name, network, learn):
        """Learns, unless that is finished and kept."""
        path = work and work / f"{name}.npz"
        leaves, shape = jax.tree.flatten(network.params)
        if path and path.exists():
            stored = np.load(path)
            network.params = jax.tree.unflatten(shape, [jnp.asarray(stored[f"{k}"], jnp.float32) for k in range(len(leaves))])
            print(f"{name}: kept from before, {scores_text([network], dev)}", flush=True)
            return network
        print(name, flush=True)
        learn(network)
        if path:
            save(path, {f"{k}": np.asarray(leaf, np.float16) for k, leaf in enumerate(jax.tree.leaves(network.params))})
        return network

    def save(path, arrays):
        part = path.with_suffix(".part.npz")
        np.savez(part, **arrays)
        part.replace(path)

    targets = [gold_targets(sentence, inventory) for sentence in gold]
    teachers = []
    for k, folder in enumerate(given.teacher):
        made = network(folder, None, given.seed + k)
        rate = given.rate if made.params["encoder"]["pieces"].shape[1] < 512 else given.rate / 3
        learn = lambda n, rate=rate, k=k: n.learn(
            Examples(gold, n.pieces, targets), dev, given.epochs, (rate, given.head_rate), given.batch, given.seed + k
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

        def write(_=None):
            tensors, tokenizer, heads_count, _ = loaded[given.encoder, given.least]
            encoders.write_encoder(out, model.to_tensors(student.params["encoder"]), tokenizer, heads_count)

        name = "student" if layers is None else f"student-{layers}"
        kept(name, student, lambda n: n.learn(examples, dev, epochs, rates, given.batch, given.seed, write))
        write()
        print(f"{out}: written", flush=True)


if __name__ == "__main__":
    main()
