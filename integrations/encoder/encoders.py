"""BERT-like encoders as files: reading (safetensors, ONNX, a TensorFlow SavedModel), pruning the vocabulary, writing."""
import json
import struct
from pathlib import Path

import numpy as np

DTYPES = {"F32": np.float32, "F16": np.float16}


def read_encoder(folder):
    """The tensors by the names that BERT's have in safetensors files (matrices have a row for each output), the
    tokenizer as in tokenizer.json, and the number of attention heads."""
    folder = Path(folder)
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf8"))
    config = folder / "config.json"
    heads = json.loads(config.read_text())["num_attention_heads"] if config.exists() else None
    safetensors, onnx, saved = folder / "model.safetensors", folder / "model.onnx", folder / "variables"
    if safetensors.exists():
        tensors = read_safetensors(safetensors)
    elif onnx.exists():
        tensors = read_onnx(onnx)
    elif saved.exists():
        tensors = read_saved_model(saved)
    else:
        raise SystemExit(f"{folder}: no encoder (expected model.safetensors, model.onnx or variables/, and tokenizer.json)")
    first = "embeddings.word_embeddings.weight"
    prefix = next((name[: -len(first)] for name in tensors if name.endswith(first)), None)
    if prefix is None:
        raise SystemExit(f"{folder}: no {first} among the weights (expected a BERT-like encoder)")
    tensors = {name[len(prefix):]: value for name, value in tensors.items() if name.startswith(prefix)}
    return tensors, tokenizer, heads or tensors[first].shape[1] // 32


def read_safetensors(path):
    data = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        values = np.frombuffer(data[8 + length + begin : 8 + length + end], DTYPES[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"]).astype(np.float32)
    return tensors


def write_safetensors(path, tensors):
    """16-bit numbers: Stemma rounds matrices to 8 bits anyway."""
    header, parts, at = {}, [], 0
    for name in sorted(tensors):
        data = np.ascontiguousarray(tensors[name], np.float16).tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensors[name].shape), "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def read_onnx(path):
    """Matrices of ONNX files often have lost their names: a MatMul is known by the bias that is added after it."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    values = {tensor.name: tensor for tensor in graph.initializer}
    tensors = {name: numpy_helper.to_array(values[name]) for name in values if "." in name}
    produced = {node.output[0]: node for node in graph.node}
    for node in graph.node:
        if node.op_type != "Add":
            continue
        bias = next((name for name in node.input if name.endswith(".bias") and name in values), None)
        source = next((produced[name] for name in node.input if name in produced), None)
        if bias is None or source is None or source.op_type != "MatMul":
            continue
        matrix = next((name for name in source.input if name in values), None)
        if matrix is not None:
            tensors[bias[: -len("bias")] + "weight"] = numpy_helper.to_array(values[matrix]).T
    return tensors


def read_saved_model(folder):
    """The variables of a TensorFlow SavedModel: `variables.index` is a LevelDB table whose values are BundleEntryProto."""
    index = (folder / "variables.index").read_bytes()
    data = np.memmap(folder / "variables.data-00000-of-00001", np.uint8, "r")
    tensors = {}
    for key, value in _table(index):
        if not key:
            continue
        entry = _proto(value)
        if entry.get(1, [0])[0] != 1:  # DT_FLOAT
            continue
        shape = [_proto(dim).get(1, [0])[0] for dim in _proto(entry[2][0]).get(2, [])]
        offset, size = entry.get(4, [0])[0], entry[5][0]
        values = np.frombuffer(bytes(data[offset : offset + size]), np.float32).reshape(shape)
        name = key.decode()
        if "/bert/" in "/" + name and "adam" not in name:
            tensors[_name(name)] = values.T if name.endswith("kernel") else values
    return tensors


def _name(name):
    """module/bert/encoder/layer_0/attention/self/query/kernel → encoder.layer.0.attention.self.query.weight"""
    name = name[name.index("bert/") + 5 :].replace("/", ".").replace("layer_", "layer.")
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
    if name.endswith("_embeddings"):
        name += ".weight"
    return name.replace(".kernel", ".weight")


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _proto(data):
    fields, at = {}, 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
        elif kind == 2:
            size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            size = 8 if kind == 1 else 4
            value, at = data[at : at + size], at + size
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def _block(data, at, size):
    if data[at + size] != 0:
        raise SystemExit("variables.index: compressed (expected none: TensorFlow writes it so)")
    block = data[at : at + size]
    (restarts,) = struct.unpack("<I", block[-4:])
    end, at, key = len(block) - 4 - 4 * restarts, 0, b""
    while at < end:
        shared, at = _varint(block, at)
        rest, at = _varint(block, at)
        length, at = _varint(block, at)
        key = key[:shared] + block[at : at + rest]
        at += rest
        yield key, block[at : at + length]
        at += length


def _table(data):
    footer = data[-48:]
    _, at = _varint(footer, 0)
    _, at = _varint(footer, at)
    begin, at = _varint(footer, at)
    size, at = _varint(footer, at)
    for _, handle in _block(data, begin, size):
        offset, at = _varint(handle, 0)
        length, _ = _varint(handle, at)
        yield from _block(data, offset, length)


def tokenizer_of(vocabulary, lowercase):
    """A tokenizer.json for a vocab.txt, as `tokenizers` has it for BERT."""
    from tokenizers import BertWordPieceTokenizer

    made = BertWordPieceTokenizer({piece: k for k, piece in enumerate(vocabulary)}, lowercase=lowercase)
    return json.loads(made.to_str())


def prune(tensors, tokenizer, counts, least):
    """Leaves out pieces that were seen fewer than `least` times; single characters stay, so that every word still has
    pieces."""
    vocabulary = tokenizer["model"]["vocab"]
    prefix = tokenizer["model"].get("continuing_subword_prefix", "##")
    special = {token["content"] for token in tokenizer.get("added_tokens", [])} | {"[UNK]", "[CLS]", "[SEP]", "[PAD]"}
    order = sorted(vocabulary, key=vocabulary.get)
    kept = [
        piece
        for piece in order
        if piece in special or counts.get(vocabulary[piece], 0) >= least or len(piece.removeprefix(prefix)) == 1
    ]
    number = {piece: k for k, piece in enumerate(kept)}
    rows = np.array([vocabulary[piece] for piece in kept])
    name = "embeddings.word_embeddings.weight"
    smaller = json.loads(json.dumps(tokenizer))
    smaller["model"]["vocab"] = number
    for token in smaller.get("added_tokens", []):
        token["id"] = number[token["content"]]
    processor = smaller.get("post_processor") or {}
    for token in (processor.get("special_tokens") or {}).values():
        token["ids"] = [number[piece] for piece in token["tokens"]]
    for side in ("sep", "cls"):
        if side in processor:
            processor[side] = [processor[side][0], number[processor[side][0]]]
    return {**tensors, name: tensors[name][rows]}, smaller


def write_encoder(folder, tensors, tokenizer, heads):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(folder / "model.safetensors", tensors)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf8")
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": heads, "layer_norm_eps": 1e-12}) + "\n")
