"""Stemma on Apache Spark: documents in, a row for each word out.

    words = parse(documents, stemma=["stemma"])           # a DataFrame with the columns id and text
    words = parse_lines(spark.read.text("corpus/*.jsonl"))  # JSON Lines, as they are in the files
    words.write.parquet("words")

Every Python worker of an executor, one for each of its cores, starts one `stemma parse` and keeps it for all of its
partitions, so that the model is loaded once for each core. Documents stream through it: what has not been asked for
waits in pipes of bounded size, back to the partition that is read. A document that cannot be parsed becomes a row whose
column `error` says why. Rows are those of `stemma parse --to parquet` (docs/corpora.md).
"""

import atexit
import json
import os
import subprocess
import threading
from collections import deque

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import DoubleType, IntegerType, StringType, StructField, StructType

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


def parse(
    documents: DataFrame,
    stemma=("stemma",),
    text: str = "text",
    id: str = "id",
    model: str | None = None,
    scores: bool = False,
) -> DataFrame:
    """The words of a DataFrame of documents, one in each row, with its text and its name in columns."""
    command = _command(stemma, model, scores)

    def run(batches):
        return _parsed(command, _objects(batches, text, id))

    return documents.select(id, text).mapInArrow(run, SCHEMA)


def parse_lines(
    lines: DataFrame,
    stemma=("stemma",),
    text_field: str = "text",
    id_field: str = "id",
    model: str | None = None,
    scores: bool = False,
) -> DataFrame:
    """The words of lines of JSON, each a document, in the first column: what spark.read.text gives."""
    command = [*_command(stemma, model, scores), "--text-field", text_field]
    # As for stemma itself: a name that was asked for has to be there.
    if id_field != "id":
        command += ["--id-field", id_field]
    column = lines.columns[0]

    def run(batches):
        return _parsed(command, _raw_lines(batches, column))

    return lines.select(column).mapInArrow(run, SCHEMA)


def _command(stemma, model, scores) -> list[str]:
    command = [*stemma, "parse", "--from", "jsonl", "--to", "columns", "--error-field", _ERROR, "--quiet"]
    return [*command, *(["--model", model] if model else []), *(["--scores"] if scores else []), "-"]


def _objects(batches, text: str, id: str):
    """Lines of JSON of documents; what is no text becomes an error by the same way as in files."""
    for batch in batches:
        texts, ids = (_strings(batch.column(batch.schema.get_field_index(name))) for name in (text, id))
        for one, name in zip(texts, ids):
            if isinstance(one, bytes) or isinstance(name, bytes):
                yield name, None, "invalid text: not UTF-8 (expected text in UTF-8)"
            else:
                yield name, json.dumps({"id": name, "text": one}, default=str), None


def _raw_lines(batches, column: str):
    for batch in batches:
        for line in _strings(batch.column(batch.schema.get_field_index(column))):
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
    """One `stemma parse`, which answers every line with a line, in order."""

    def __init__(self, command: list[str]):
        self.command = command
        self.owner = os.getpid()
        # Messages go to the log of the executor.
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 16)

    def is_usable(self) -> bool:
        return self.owner == os.getpid() and self.child.poll() is None

    def answers(self, documents):
        """For each document its name and its answer; the documents are read as fast as they can be parsed."""
        sent = deque()
        state = {"done": False, "failure": None}
        changed = threading.Condition()

        def write():
            try:
                for name, line, error in documents:
                    with changed:
                        # The pipes are full long before, unless documents are very short, or none.
                        changed.wait_for(lambda: len(sent) < MOST_UNDER_WAY or state["done"])
                        if state["done"]:
                            return
                        sent.append((name, error))
                        changed.notify_all()
                    if line is not None:
                        self.child.stdin.write(line.encode("utf-8") + b"\n")
                self.child.stdin.flush()
            except Exception as failure:  # said by the one who reads
                state["failure"] = failure
            with changed:
                state["done"] = True
                changed.notify_all()

        threading.Thread(target=write, daemon=True).start()
        complete = False
        try:
            while True:
                with changed:
                    changed.wait_for(lambda: sent or state["done"])
                    if not sent:
                        break
                    name, error = sent[0]
                if error is not None:
                    answer = {_ERROR: error}
                else:
                    line = self.child.stdout.readline()
                    if not line:
                        break
                    answer = json.loads(line)
                yield name, answer
                with changed:
                    sent.popleft()
                    changed.notify_all()
            failure = state["failure"]
            if isinstance(failure, BrokenPipeError) or sent:
                raise RuntimeError(f"{' '.join(self.command)} has ended with status {self.child.wait()}")
            if failure is not None:
                raise failure
            complete = True
        finally:
            # Whoever stops in the middle leaves answers behind, which are nobody's.
            if not complete:
                with changed:
                    state["done"] = True
                    changed.notify_all()
                self.end()

    def end(self):
        if self.owner == os.getpid():
            self.child.kill()
            self.child.wait()


_process: _Process | None = None


def _process_for(command: list[str]) -> _Process:
    """The process of this Python worker."""
    global _process
    if _process is None or _process.command != command or not _process.is_usable():
        if _process is not None:
            _process.end()
        _process = _Process(command)
        atexit.register(_process.end)
    return _process


def _parsed(command: list[str], documents):
    rows = _Rows()
    for name, answer in _process_for(command).answers(documents):
        rows.add(name, answer)
        if rows.count >= BATCH_ROWS:
            yield rows.take()
    if rows.count > 0:
        yield rows.take()


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
