"""Runs the job on a cluster of two executors on this machine, and compares with what one process gives.

    npm run test:spark        (needs Python with pyspark, pyarrow and pandas, and Java 17)
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

import stemma_spark

HERE = Path(__file__).resolve().parent
STEMMA = ["node", str(HERE.parent.parent / "packages" / "cli" / "bin" / "stemma.js")]
SENTENCES = [
    "The old mill wheel turns slowly in the spring.",
    "She didn't see him yesterday, and he waved!",
    "Nobody knew why “it” cost €5 – or 😀.",
    "Paris, said Mr. Smith, is worth a mass.",
]
ORDER = [(name, "ascending") for name in ("document", "sentence", "id")]


def text_of(i: int) -> str:
    return " ".join(SENTENCES[(i + k) % 4] for k in range(1 + i % 9)) + ("\n\nA second paragraph." if i % 5 == 0 else "")


def sorted_rows(path, names=None):
    table = pq.read_table(path)
    table = table.select(names or [name for name in stemma_spark.COLUMNS if name in table.column_names])
    # Other programs write columns of other widths and null flags; values are what counts.
    return table.sort_by(ORDER).to_pylist()


class StemmaOnSpark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="stemma-spark-"))
        cls.starts = cls.folder / "starts"
        # Tells how often a process was started.
        wrapper = cls.folder / "stemma"
        wrapper.write_text(f'#!/bin/sh\necho $$ >> "{cls.starts}"\nexec {" ".join(STEMMA)} "$@"\n')
        wrapper.chmod(0o755)
        cls.stemma = [str(wrapper)]
        cls.documents = 240
        corpus = cls.folder / "corpus.jsonl"
        with corpus.open("w") as out:
            for i in range(cls.documents):
                out.write(json.dumps({"id": f"d{i:04}", "year": 1900 + i, "text": text_of(i)}, ensure_ascii=i % 2 == 0))
                out.write("\n")
        cls.corpus = str(corpus)
        cls.expected_file = str(cls.folder / "one.parquet")
        subprocess.run([*STEMMA, "parse", cls.corpus, "--to", "parquet", "--output", cls.expected_file], check=True)
        cls.expected = sorted_rows(cls.expected_file)
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
        cls.spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.executor.memory", "512m")
            .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
            .config("spark.local.dir", str(cls.folder / "local"))
            .getOrCreate()
        )
        cls.spark.sparkContext.setLogLevel("ERROR")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def lines(self, partitions: int):
        return self.spark.read.text(self.corpus).repartition(partitions)

    def write(self, words, name: str) -> str:
        path = str(self.folder / name)
        words.write.parquet(path)
        return path

    def test_1_same_rows_as_one_machine_and_the_model_once_for_each_core(self):
        path = self.write(stemma_spark.parse_lines(self.lines(12), stemma=self.stemma), "lines")
        rows = sorted_rows(path)
        self.assertEqual([row.pop("error") for row in rows], [None] * len(rows))
        self.assertEqual(rows, self.expected)
        self.assertGreater(len(list(Path(path).glob("*.parquet"))), 2)
        # Two executors with one core each, and twelve partitions.
        self.assertEqual(len(self.starts.read_text().split()), 2)

    def test_2_a_data_frame_of_documents(self):
        documents = self.spark.read.json(self.corpus).select("id", "text").repartition(3)
        path = self.write(stemma_spark.parse(documents, stemma=self.stemma), "frame")
        names = [name for name in stemma_spark.COLUMNS if name not in ("fields", "error")]
        self.assertEqual(sorted_rows(path, names), sorted_rows(self.expected_file, names))

    def test_3_malformed_documents_become_error_rows(self):
        bad = ["nonsense", '{"id": "x"}', '{"id": "y", "text": 7}', "   ", json.dumps({"id": "good", "text": "It works."})]
        file = self.folder / "bad.jsonl"
        file.write_text("\n".join(bad))
        rows = stemma_spark.parse_lines(self.spark.read.text(str(file)), stemma=self.stemma).collect()
        errors = [row.error for row in rows if row.error is not None]
        self.assertEqual(len(errors), 3)
        self.assertIn("invalid JSON: nonsense", errors[0])
        self.assertIn('invalid field "text": missing', errors[1])
        self.assertEqual([row.form for row in rows if row.error is None], ["It", "works", "."])
        frame = self.spark.createDataFrame([(1, None), (2, "Good."), (3, "")], "id int, text string")
        # Bytes that are no UTF-8, which Spark takes for text.
        frame = frame.union(self.spark.sql("select 4, cast(unhex('ff41') as string)")).coalesce(1)
        rows = stemma_spark.parse(frame, stemma=self.stemma).collect()
        shown = [(row.document, row.form, row.error is not None) for row in rows]
        self.assertEqual(shown, [("1", None, True), ("2", "Good", False), ("2", ".", False), ("4", None, True)])

    def test_4_an_executor_killed_in_the_middle_loses_and_doubles_nothing(self):
        copies = self.spark.range(3).withColumnRenamed("id", "copy")
        many = self.spark.read.json(self.corpus).select("id", "text").crossJoin(copies)
        many = many.select(expr("concat(id, '/', copy)").alias("id"), "text").repartition(24)
        before = {pid for pid, _ in executors()}
        self.assertEqual(len(before), 2)
        tracker = self.spark.sparkContext.statusTracker()
        killed = []
        written = threading.Event()

        def kill():
            while not written.wait(0.05):
                for stage in tracker.getActiveStageIds():
                    info = tracker.getStageInfo(stage)
                    if info and info.numTasks == 24 and 0 < info.numCompletedTasks < 20:
                        os.kill(executors()[0][0], signal.SIGKILL)
                        killed.append(info.numCompletedTasks)
                        return

        killer = threading.Thread(target=kill)
        killer.start()
        path = self.write(stemma_spark.parse(many, stemma=self.stemma), "killed")
        written.set()
        killer.join()
        self.assertEqual(len(killed), 1, "the job ended before an executor could be killed")
        self.assertNotEqual({pid for pid, _ in executors()}, before)
        table = pq.read_table(path)
        keys = table.group_by(["document", "sentence", "id"]).aggregate([("form", "count")])
        self.assertEqual(keys.num_rows, table.num_rows)
        self.assertEqual(table.num_rows, 3 * len(self.expected))
        expected = {}
        for row in self.expected:
            expected.setdefault(row["document"], []).append((row["sentence"], row["id"], row["form"], row["head"], row["deprel"]))
        rows = {}
        for row in table.sort_by(ORDER).select(["document", "sentence", "id", "form", "head", "deprel"]).to_pylist():
            rows.setdefault(row["document"], []).append((row["sentence"], row["id"], row["form"], row["head"], row["deprel"]))
        self.assertEqual(len(rows), 3 * self.documents)
        for name, words in rows.items():
            self.assertEqual(words, expected[name.split("/")[0]])

    def test_5_back_pressure(self):
        read = [0]

        def documents():
            for i in range(100_000):
                read[0] += 1
                yield i, json.dumps({"id": i, "text": text_of(8)}), None

        process = stemma_spark._Process(stemma_spark._command(STEMMA, None, False))
        answers = process.answers(documents())
        for i in range(3):
            name, answer = next(answers)
            self.assertEqual((name, answer["document"]), (i, str(i)))
        time.sleep(3)
        waiting = read[0]
        time.sleep(2)
        # Nobody asks for more, so no more is read; what is under way fits into pipes and a few pieces of text.
        self.assertEqual(read[0], waiting)
        self.assertLess(waiting * len(text_of(8)), 4 << 20)
        answers.close()
        self.assertIsNotNone(process.child.poll())

    def test_6_a_process_that_dies_is_an_error_of_the_task(self):
        process = stemma_spark._Process(["sh", "-c", "read line; exit 3"])
        with self.assertRaisesRegex(RuntimeError, "has ended with status 3"):
            list(process.answers((i, '{"text": "x"}', None) for i in range(50_000)))

    def test_7_the_job_of_the_command_line(self):
        texts = self.folder / "texts"
        texts.mkdir()
        for i in range(3):
            (texts / f"{i}.txt").write_text(text_of(i))
        job = [sys.executable, str(HERE / "parse_corpus.py"), str(texts / "*.txt"), str(self.folder / "job")]
        environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--master local[1] --conf spark.ui.enabled=false pyspark-shell"}
        subprocess.run([*job, "--format", "text", "--stemma", " ".join(self.stemma)], check=True, env=environment, capture_output=True)
        rows = pq.read_table(self.folder / "job")
        self.assertEqual(pc.count_distinct(rows["document"]).as_py(), 3)
        self.assertEqual(pc.sum(rows["error"].is_valid()).as_py(), 0)


def executors() -> list[tuple[int, str]]:
    """The processes of the executors that this test has started: descendants of this one."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    processes = [line.split(None, 2) for line in listing.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, *_ in processes}

    def is_own(pid: int) -> bool:
        while pid in parents:
            if pid == os.getpid():
                return True
            pid = parents[pid]
        return False

    return [
        (int(pid), args[0])
        for pid, _, *args in processes
        if args and "CoarseGrainedExecutorBackend" in args[0] and "java" in args[0].split()[0] and is_own(int(pid))
    ]


if __name__ == "__main__":
    unittest.main(verbosity=2)
