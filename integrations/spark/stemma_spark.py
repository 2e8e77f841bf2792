"""Stemma on Apache Spark: documents in, trees out.

    trees = annotate(documents, "text", model="en")         # all columns, and one with the sentences of each text
    words = parse(documents, text="text", id="id")          # a row for each word
    words = parse_lines(spark.read.text("corpus/*.jsonl"))  # the same from JSON Lines, as they are in the files

DataFrames may be streams. Every Python worker of an executor, one for each of its cores, starts one `stemma parse` and
keeps it for all of its tasks, so that the model is loaded once for each core. Documents come as batches of Arrow and
stream through it: what has not been asked for waits in pipes of bounded size, back to the partition that is read. A
document that cannot be parsed, or that the process dies of, gets the reason in the column `error`. Rows of `parse` are
those of `stemma parse --to parquet` (docs/corpora.md).
"""

import atexit
import itertools
import json
import os
import subprocess
import threading
import time
from collections import deque

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DoubleType, IntegerType, StringType, StructField, StructType

# The columns of a table of words, in their order.
_STRING, _INT, _DOUBLE = "string", "int", "double"
COLUMNS = {
    "document": _STRING,
    "fields": _STRING,
    "sentence": _INT,
    "sent_id": _STRING,
    "text": _STRING,
    "comments": _STRING,
    "id": _INT,
    "start_offset": _INT,
    "end_offset": _INT,
    "form": _STRING,
    "lemma": _STRING,
    "upos": _STRING,
    "xpos": _STRING,
    "feats": _STRING,
    "head": _INT,
    "deprel": _STRING,
    "score": _DOUBLE,
    "deps": _STRING,
    "misc": _STRING,
    "token_first": _INT,
    "token_last": _INT,
    "token_form": _STRING,
    "token_fields": _STRING,
    "empty_nodes": _STRING,
    "error": _STRING,
}
_OF_SENTENCES = ("sent_id", "text", "comments")
_ERROR = "error"

_SPARK_TYPES = {_STRING: StringType, _INT: IntegerType, _DOUBLE: DoubleType}
_ARROW_TYPES = {_STRING: pa.string(), _INT: pa.int32(), _DOUBLE: pa.float64()}
SCHEMA = StructType([StructField(name, _SPARK_TYPES[kind]()) for name, kind in COLUMNS.items()])
_ARROW_SCHEMA = pa.schema([(name, _ARROW_TYPES[kind]) for name, kind in COLUMNS.items()])

# Rows of a batch that goes to Spark; a longer document is a batch by itself.
BATCH_ROWS = 20_000
# Documents that have been read and not yet answered.
MOST_UNDER_WAY = 10_000
# Seconds without an answer after which a process is ended: a text of 16 MB takes some minutes.
TIMEOUT = 1800
# Processes of a Python worker: two models may take turns in one job.
MOST_PROCESSES = 2

# The columns of a word that is in an array; what its sentence and document have is beside it.
_WORD = [
    name
    for name in COLUMNS
    if name not in ("document", "fields", "sentence", "sent_id", "text", "comments", "token_fields", "empty_nodes", _ERROR)
]
_WORD_TYPE = StructType([StructField(name, _SPARK_TYPES[COLUMNS[name]]()) for name in _WORD])
SENTENCES = ArrayType(
    StructType([StructField("text", StringType()), StructField("words", ArrayType(_WORD_TYPE))]),
)


def annotate(
    documents: DataFrame,
    text: str = "text",
    model: str | None = None,
    *,
    stemma=("stemma",),
    column: str = "sentences",
    scores: bool = False,
    timeout: float = TIMEOUT,
) -> DataFrame:
    """The DataFrame with two more columns: the sentences of the text, and `error`, null if there is none.

    A sentence has its text and its words, and a word the columns of the table of words. `model` is the name of a
    package (en, en-large) or a file on the executors; a text that is null has no sentences.
    """
    for name in (column, _ERROR):
        if name in documents.columns:
            raise ValueError(f"invalid column: {name} (expected a name that the DataFrame does not have yet)")
    if documents.schema[text].dataType != StringType():
        kind = documents.schema[text].dataType.simpleString()
        raise TypeError(f"invalid column {text}: {kind} (expected string: cast it, or name another column)")
    command = _command(stemma, model, scores)
    schema = StructType([*documents.schema.fields, StructField(column, SENTENCES), StructField(_ERROR, StringType())])

    def run(batches):
        return _annotated(command, batches, text, column, timeout)

    return documents.mapInArrow(run, schema)


def parse(
    documents: DataFrame,
    stemma=("stemma",),
    text: str = "text",
    id: str = "id",
    model: str | None = None,
    scores: bool = False,
    timeout: float = TIMEOUT,
) -> DataFrame:
    """The words of a DataFrame of documents, one in each row, with its text and its name in columns."""
    command = _command(stemma, model, scores)

    def run(batches):
        return _parsed(command, (_objects(batch, text, id) for batch in batches), timeout)

    return documents.select(id, text).mapInArrow(run, SCHEMA)


def parse_lines(
    lines: DataFrame,
    stemma=("stemma",),
    text_field: str = "text",
    id_field: str = "id",
    model: str | None = None,
    scores: bool = False,
    timeout: float = TIMEOUT,
) -> DataFrame:
    """The words of lines of JSON, each a document, in the first column: what spark.read.text gives."""
    command = [*_command(stemma, model, scores), "--text-field", text_field]
    # As for stemma itself: a name that was asked for has to be there.
    if id_field != "id":
        command += ["--id-field", id_field]
    column = lines.columns[0]

    def run(batches):
        return _parsed(command, (_raw_lines(batch, column) for batch in batches), timeout)

    return lines.select(column).mapInArrow(run, SCHEMA)


def _command(stemma, model, scores) -> list[str]:
    command = [*stemma, "parse", "--from", "jsonl", "--to", "columns", "--error-field", _ERROR, "--quiet"]
    return [*command, *(["--model", model] if model else []), *(["--scores"] if scores else []), "-"]


# A document is a triple: its name; its line of JSON, or None if it has no answer to wait for; what is wrong with it.


def _objects(batch: pa.RecordBatch, text: str, id: str):
    """Documents of columns; what is no text becomes an error by the same way as in files."""
    for one, name in zip(_strings(batch.column(text)), _strings(batch.column(id))):
        if isinstance(one, bytes) or isinstance(name, bytes):
            yield name, None, "invalid text: not UTF-8 (expected text in UTF-8)"
        else:
            yield name, json.dumps({"id": name, "text": one}, default=str), None


def _texts(batch: pa.RecordBatch, text: str):
    for one in _strings(batch.column(text)):
        if isinstance(one, bytes):
            yield None, None, "invalid text: not UTF-8 (expected text in UTF-8)"
        else:
            yield None, None if one is None else json.dumps({"text": one}), None


def _raw_lines(batch: pa.RecordBatch, column: str):
    for line in _strings(batch.column(column)):
        if isinstance(line, bytes):
            yield None, None, "invalid line: not UTF-8 (expected text in UTF-8)"
        # Blank lines are no documents.
        elif line is not None and line.strip() != "":
            yield None, line.replace("\n", " "), None


def _strings(column: pa.Array) -> list:
    """Texts; bytes where they are none, and other types as they are."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column.to_pylist()
    values = []
    for value in column.cast(pa.large_binary()).to_pylist():
        try:
            values.append(None if value is None else value.decode("utf-8"))
        except UnicodeDecodeError:
            values.append(value)
    return values


class _Process:
    """`stemma parse`, which answers every line with a line, in order, and is started again when it dies."""

    def __init__(self, command: list[str], timeout: float = TIMEOUT):
        self.command = command
        self.timeout = timeout
        self.owner = os.getpid()
        # When somebody began to wait for an answer, for the watch; a process is ended once.
        self.waiting: float | None = None
        self.late = False
        self.is_over = False
        self._start()
        threading.Thread(target=self._watch, daemon=True).start()

    def _start(self) -> None:
        # Messages go to the log of the executor.
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 16)
        self.late = False

    def is_usable(self) -> bool:
        return self.owner == os.getpid() and self.child.poll() is None

    def _watch(self) -> None:
        while not self.is_over:
            time.sleep(min(1.0, self.timeout / 4))
            since = self.waiting
            if since is not None and not self.late and time.monotonic() - since > self.timeout:
                self.late = True
                self.child.kill()

    def _answer(self) -> dict | None:
        """The next line, as soon as it is there; None if the process has ended."""
        self.waiting = time.monotonic()
        try:
            line = self.child.stdout.readline()
        finally:
            self.waiting = None
        return json.loads(line) if line.endswith(b"\n") else None

    def _ask(self, line: str) -> dict | None:
        """The answer to one document by itself."""
        try:
            self._send(line)
            self.child.stdin.flush()
        except BrokenPipeError:
            return None
        return self._answer()

    def _send(self, line: str) -> None:
        self.child.stdin.write(line.encode("utf-8") + b"\n")

    def _restart(self) -> str:
        """Starts the process again after its end, which is returned in words."""
        status = self._close()
        end = f"did not answer for {self.timeout:g} seconds" if self.late else f"has ended with status {status}"
        self._start()
        # A process that cannot do the simplest thing is not the fault of a document.
        if self._ask(json.dumps({"text": "."})) is None:
            raise RuntimeError(f"{' '.join(self.command)} {end}, and with a document of its own again")
        return end

    def answers(self, batches):
        """For each document of each batch its name and its answer; they are read as fast as they can be parsed."""
        documents = _Documents(batches)
        complete = False
        try:
            while True:
                yield from documents.streamed(self)
                if documents.is_through():
                    break
                # Which of the documents under way the process has died of shows when they come one by one.
                end = self._restart()
                for name, line, error in documents.take():
                    answer = {_ERROR: error} if line is None else self._ask(line)
                    if answer is None:
                        end = self._restart()
                        answer = {_ERROR: f"the process {end} at this document"}
                    yield name, answer
            complete = True
        finally:
            # Whoever stops in the middle leaves answers behind, which are nobody's.
            if not complete:
                documents.stop()
                self.end()

    def end(self):
        self.is_over = True
        if self.owner == os.getpid():
            self._close()

    def _close(self) -> int:
        self.child.kill()
        self.child.stdout.close()
        try:
            self.child.stdin.close()
        except BrokenPipeError:
            # What was still in the buffer is sent again, or nobody's.
            pass
        return self.child.wait()


class _Documents:
    """Documents on their way through a process: a thread sends them, and who asks for answers reads them."""

    def __init__(self, batches):
        self.batches = iter(batches)
        self.batch = iter(())
        self.sent = deque()
        self.is_read = False
        self.is_stopped = False
        self.failure: BaseException | None = None
        self.changed = threading.Condition()

    def stop(self) -> None:
        with self.changed:
            self.is_stopped = True
            self.changed.notify_all()

    def is_through(self) -> bool:
        if self.failure is not None:
            raise self.failure
        return self.is_read and not self.sent

    def take(self):
        """Those that have no answer yet."""
        while self.sent:
            yield self.sent.popleft()

    def streamed(self, process: _Process):
        """Names and answers, until all are through, or the process has ended."""
        self.is_stopped = False
        writer = threading.Thread(target=self._write, args=(process,), daemon=True)
        writer.start()
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.sent or self.is_stopped)
                if not self.sent:
                    break
                name, line, error = self.sent[0]
            answer = {_ERROR: error} if line is None else process._answer()
            if answer is None:
                # Nobody reads what the thread writes.
                process.child.kill()
                break
            yield name, answer
            with self.changed:
                self.sent.popleft()
                self.changed.notify_all()
        self.stop()
        writer.join()

    def _write(self, process: _Process) -> None:
        try:
            while True:
                for document in self.batch:
                    if len(self.sent) >= MOST_UNDER_WAY:
                        # What is in the buffer of this side would never be answered.
                        process.child.stdin.flush()
                    with self.changed:
                        # The pipes are full long before, unless documents are very short.
                        self.changed.wait_for(lambda: len(self.sent) < MOST_UNDER_WAY or self.is_stopped)
                        # The process has this document before it, or it is sent to the next one.
                        self.sent.append(document)
                        self.changed.notify_all()
                        if self.is_stopped:
                            return
                    if document[1] is not None:
                        process._send(document[1])
                # Before waiting for more, which may take long if it is a stream.
                process.child.stdin.flush()
                batch = next(self.batches, None)
                if batch is None:
                    self.is_read = True
                    return
                self.batch = iter(batch)
        except BrokenPipeError:
            # The process has ended; the reader sees it, too.
            pass
        except Exception as failure:  # said by the one who reads
            self.failure = failure
        finally:
            self.stop()


_processes: dict[tuple, _Process] = {}


def _process_for(command: list[str], timeout: float) -> _Process:
    """The process of this Python worker for a command; the one that was used last stands last."""
    key = (os.getpid(), timeout, *command)
    process = _processes.pop(key, None)
    if process is None or not process.is_usable():
        while len(_processes) >= MOST_PROCESSES:
            _processes.pop(next(iter(_processes))).end()
        process = _Process(command, timeout)
        atexit.register(process.end)
    _processes[key] = process
    return process


def _parsed(command: list[str], batches, timeout: float):
    rows = _Rows()
    for name, answer in _process_for(command, timeout).answers(batches):
        rows.add(name, answer)
        if rows.count >= BATCH_ROWS:
            yield rows.take()
    if rows.count > 0:
        yield rows.take()


def _annotated(command: list[str], batches, text: str, column: str, timeout: float):
    """Every batch with the sentences of its documents, in pieces that hold about as many words as rows of others."""
    waiting = deque()

    def documents():
        for batch in batches:
            waiting.append(batch)
            yield _texts(batch, text)

    answers = (answer for _, answer in _process_for(command, timeout).answers(documents()))
    for first in answers:
        batch = waiting.popleft()
        while batch.num_rows == 0:
            batch = waiting.popleft()
        begin, trees = 0, _Trees()
        of_batch = itertools.chain([first], itertools.islice(answers, batch.num_rows - 1))
        for row, answer in enumerate(of_batch, 1):
            trees.add(answer)
            if trees.count >= BATCH_ROWS or row == batch.num_rows:
                sentences, errors = trees.take()
                piece = batch.slice(begin, row - begin)
                yield pa.RecordBatch.from_arrays(
                    [*piece.columns, sentences, errors], names=[*piece.schema.names, column, _ERROR]
                )
                begin = row


class _Trees:
    """The sentences of documents as arrays in an array, while they are being filled."""

    def __init__(self):
        self.count = 0
        self.errors: list[str | None] = []
        # Where the sentences of each document begin, and the words of each sentence; None for no array at all.
        self.documents: list[int | None] = []
        self.sentences: list[int] = []
        self.texts: list[str | None] = []
        self.words = {name: [] for name in _WORD}

    def add(self, answer: dict) -> None:
        error = answer.get(_ERROR)
        self.errors.append(error)
        self.documents.append(len(self.texts) if "rows" in answer else None)
        if "rows" not in answer:
            return
        numbers = answer["columns"].get("sentence", [])
        at = 0
        for number, text in enumerate(answer["sentences"]["text"], 1):
            self.sentences.append(self.count + at)
            self.texts.append(text)
            while at < len(numbers) and numbers[at] == number:
                at += 1
        for name, values in self.words.items():
            values.extend(answer["columns"].get(name) or [None] * answer["rows"])
        self.count += answer["rows"]

    def take(self) -> tuple[pa.Array, pa.Array]:
        types = [_ARROW_TYPES[COLUMNS[name]] for name in _WORD]
        words = pa.StructArray.from_arrays(
            [pa.array(self.words[name], kind) for name, kind in zip(_WORD, types)], names=_WORD
        )
        offsets = pa.array([*self.sentences, self.count], pa.int32())
        sentences = pa.StructArray.from_arrays(
            [pa.array(self.texts, pa.string()), pa.ListArray.from_arrays(offsets, words)], names=["text", "words"]
        )
        # An offset that is null makes the array null that begins there.
        offsets = pa.array([*self.documents, len(self.texts)], pa.int32())
        result = pa.ListArray.from_arrays(offsets, sentences), pa.array(self.errors, pa.string())
        self.__init__()
        return result


class _Rows:
    """Columns that are being filled."""

    def __init__(self):
        self.count = 0
        self.columns = {name: [] for name in COLUMNS}

    def add(self, name, answer: dict) -> None:
        if _ERROR in answer:
            self._add(1, {"document": [None if name is None else str(name)], _ERROR: [answer[_ERROR]]})
            return
        rows = answer["rows"]
        columns = answer["columns"]
        numbers = columns.get("sentence", [])
        for column in _OF_SENTENCES:
            values = answer["sentences"][column]
            columns[column] = [values[number - 1] for number in numbers]
        for column in ("document", "fields"):
            if answer.get(column) is not None:
                columns[column] = [answer[column]] * rows
        self._add(rows, columns)

    def _add(self, rows: int, columns: dict) -> None:
        for name, values in self.columns.items():
            values.extend(columns.get(name) or [None] * rows)
        self.count += rows

    def take(self) -> pa.RecordBatch:
        arrays = [pa.array(self.columns[name], field.type) for name, field in zip(COLUMNS, _ARROW_SCHEMA)]
        self.__init__()
        return pa.RecordBatch.from_arrays(arrays, schema=_ARROW_SCHEMA)
