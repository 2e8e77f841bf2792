"""Sentences for adapting an encoder: CoNLL-U, or text with a sentence a line and spaces between tokens."""
import gzip
from dataclasses import dataclass, field

import numpy as np

MOST_PIECES_OF_A_WORD = 48
LONGEST = 512


def lines_of(path):
    opened = gzip.open(path, "rt", encoding="utf8") if str(path).endswith(".gz") else open(path, encoding="utf8")
    with opened as file:
        yield from file


@dataclass
class Sentence:
    forms: list
    tags: list = field(default_factory=list)
    """UPOS, XPOS and FEATS of each word, together."""
    lemmas: list = field(default_factory=list)
    heads: list = field(default_factory=list)
    labels: list = field(default_factory=list)


def read_conllu(path):
    sentence = Sentence([])
    for line in lines_of(path):
        line = line.rstrip("\n")
        if not line:
            if sentence.forms:
                yield sentence
            sentence = Sentence([])
        elif not line.startswith("#"):
            columns = line.split("\t")
            if columns[0].isdigit():
                form, lemma, upos, xpos, feats, head, label = columns[1:8]
                if not head.isdigit():
                    raise SystemExit(f"{path}: invalid HEAD: {head} (expected a number: every word needs a head)")
                sentence.forms.append(form)
                sentence.lemmas.append(lemma)
                sentence.tags.append(f"{upos}\t{xpos}\t{feats}")
                sentence.heads.append(int(head))
                sentence.labels.append(label)
    if sentence.forms:
        yield sentence


def read_text(path, words):
    """Sentences up to so many words; a space inside a token is U+00A0."""
    left = words
    for line in lines_of(path):
        forms = line.split() if not line.startswith("# ") else []
        if not forms or len(forms) > 250:
            continue
        if left <= 0:
            return
        left -= len(forms)
        yield Sentence([form.replace("\u00a0", " ") for form in forms])


def script_of(form, lemma):
    """How a lemma is made of a form: whether it is lower case, how much of the end goes, and what comes instead."""
    if lemma == "_" and form != "_":
        return "_"
    lower = lemma == lemma.lower()
    base = form.lower() if lower else form
    same = 0
    while same < min(len(base), len(lemma)) and base[same] == lemma[same]:
        same += 1
    return f"{int(lower)}:{len(base) - same}:{lemma[same:]}"


def lemma_by(script, form):
    if script == "_":
        return "_"
    lower, cut, end = script.split(":", 2)
    base = form.lower() if lower == "1" else form
    if int(cut) > len(base):
        return base
    return (base[: len(base) - int(cut)] + end) or base


class Pieces:
    """Splits words as Stemma does: each by itself, so that a word always has the same pieces."""

    def __init__(self, tokenizer):
        from tokenizers import Tokenizer
        import json

        self.tokenizer = Tokenizer.from_str(json.dumps(tokenizer))
        self.unknown = self.tokenizer.token_to_id("[UNK]")
        self.begin = self.tokenizer.token_to_id("[CLS]")
        self.end = self.tokenizer.token_to_id("[SEP]")
        self.known = {}

    def of(self, form):
        found = self.known.get(form)
        if found is None:
            found = self.tokenizer.encode(form, add_special_tokens=False).ids[:MOST_PIECES_OF_A_WORD] or [self.unknown]
            self.known[form] = found
        return found

    def encode(self, forms):
        """The pieces of a sentence and the word that each belongs to; 0 is the root, which sees the first piece."""
        ids, words = [self.begin], [0]
        for k, form in enumerate(forms, 1):
            own = self.of(form)
            ids += own
            words += [k] * len(own)
        return ids + [self.end], words + [-1]


def batches(items, pieces_each, random):
    """Groups of items whose sizes are alike, of at most so many pieces with what fills them up, in random order; `items`
    are (size, index)."""
    items = [item for item in items if item[0] <= LONGEST]
    if random is not None:
        random.shuffle(items)
    groups, size = [[]], 0
    for size, index in sorted(items, key=lambda item: item[0]):
        if groups[-1] and (len(groups[-1]) + 1) * size > pieces_each:
            groups.append([])
        groups[-1].append(index)
    if random is not None:
        random.shuffle(groups)
    return groups
