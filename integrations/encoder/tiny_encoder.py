"""A random encoder of a few units with a vocabulary of letters, for tests: python tiny_encoder.py FOLDER"""
import string
import sys

import numpy as np

import encoders

SIZE, INNER, LAYERS = 32, 64, 2
letters = [prefix + letter for letter in string.ascii_lowercase for prefix in ("", "##")]
vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters]
random = np.random.default_rng(1)
tensors = {
    "embeddings.word_embeddings.weight": random.normal(0, 0.5, (len(vocabulary), SIZE)),
    "embeddings.position_embeddings.weight": random.normal(0, 0.5, (512, SIZE)),
    "embeddings.token_type_embeddings.weight": random.normal(0, 0.1, (2, SIZE)),
    "embeddings.LayerNorm.weight": np.ones(SIZE),
    "embeddings.LayerNorm.bias": np.zeros(SIZE),
}
SHAPES = {
    "attention.self.query": (SIZE, SIZE),
    "attention.self.key": (SIZE, SIZE),
    "attention.self.value": (SIZE, SIZE),
    "attention.output.dense": (SIZE, SIZE),
    "intermediate.dense": (INNER, SIZE),
    "output.dense": (SIZE, INNER),
}
for layer in range(LAYERS):
    for name, shape in SHAPES.items():
        tensors[f"encoder.layer.{layer}.{name}.weight"] = random.normal(0, 0.2, shape)
        tensors[f"encoder.layer.{layer}.{name}.bias"] = np.zeros(shape[0])
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        tensors[f"encoder.layer.{layer}.{name}.weight"] = np.ones(SIZE)
        tensors[f"encoder.layer.{layer}.{name}.bias"] = np.zeros(SIZE)
encoders.write_encoder(sys.argv[1], tensors, encoders.tokenizer_of(vocabulary, True), 2)
