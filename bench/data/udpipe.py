"""UDPipe 1 (PyPI ufal.udpipe) with its own trainer: trains, tags and parses CoNLL-U. Called by bench/accuracy/peers.mjs.

    udpipe.py version
    udpipe.py train TRAIN MODEL             tagger and parser with their default options
    udpipe.py parse MODEL IN OUT gold|own   with the tags of IN, or with those of its own tagger
"""

import sys


def sentences(path):
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    reader, error, found = InputFormat.newConlluInputFormat(), ProcessingError(), Sentences()
    with open(path, encoding="utf-8") as file:
        reader.setText(file.read())
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = Sentence()
    if error.occurred():
        raise ValueError(f"{path}: {error.message}")
    return found


def train(path, model):
    from ufal.udpipe import ProcessingError, Sentences, Trainer

    error = ProcessingError()
    trained = Trainer.train("morphodita_parsito", sentences(path), Sentences(), "none", "", "", error)
    if error.occurred():
        raise ValueError(error.message)
    with open(model, "wb") as file:
        file.write(trained)


def parse(path, source, target, tags):
    from ufal.udpipe import Model, OutputFormat, ProcessingError

    model, writer, error = Model.load(path), OutputFormat.newOutputFormat("conllu"), ProcessingError()
    with open(target, "w", encoding="utf-8") as file:
        for sentence in sentences(source):
            if tags == "own":
                model.tag(sentence, Model.DEFAULT, error)
            model.parse(sentence, Model.DEFAULT, error)
            if error.occurred():
                raise ValueError(error.message)
            file.write(writer.writeSentence(sentence))


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "version":
        from importlib.metadata import version

        print(version("ufal.udpipe"))
    else:
        {"train": train, "parse": parse}[command](*rest)
