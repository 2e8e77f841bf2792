"""Runs the job on a cluster of two executors on this machine, and compares with what one process gives.

    npm run test:spark        (needs Python with pyspark, pyarrow and pandas, and Java 17)

With EXECUTOR_KILLS=100 in the environment the job whose executor is killed is run a hundred times.
"""

import itertools
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
from unittest.mock import patch

import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

import parse_corpus
import stemma_spark

HERE = Path(__file__).resolve().parent
STEMMA = ["node", str(HERE.parent.parent / "packages" / "cli" / "bin" / "stemma.js")]
SENTENCES = [
    "The old mill wheel turns slowly in the spring.",
    "She didn't see him yesterday, and he waved!",
    "Nobody knew why “it” cost €5 – or 😀.",
    "Paris, said Mr. Smith, is worth a mass.",
]
# The programs of these tests end before a thorough compilation of them would pay.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
EXECUTOR_KILLS = int(os.environ.get("EXECUTOR_KILLS", "1"))
ORDER = [(name, "ascending") for name in ("document", "sentence", "id")]


def text_of(i: int) -> str:
    return " ".join(SENTENCES[(i + k) % 4] for k in range(1 + i % 9)) + ("\n\nA second paragraph." if i % 5 == 0 else "")


def sorted_rows(path, names=None):
    table = pq.read_table(path)
    table = table.select(names or [name for name in stemma_spark.COLUMNS if name in table.column_names])
    # Other programs write columns of other widths and null flags; values are what counts.
    return table.sort_by(ORDER).to_pylist()


def answers_within(seconds: float, answers) -> list | None:
    """All answers; None if they do not come in time."""
    result = []
    thread = threading.Thread(target=lambda: result.append(list(answers)), daemon=True)
    thread.start()
    thread.join(seconds)
    return result[0] if result else None


class Process(unittest.TestCase):
    """One process, without Spark."""

    def process(self, command=None, timeout: float = stemma_spark.TIMEOUT):
        process = stemma_spark._Process(command or stemma_spark._command(STEMMA, None, False), timeout)
        self.addCleanup(process.end)
        return process

    def test_10000_lines_that_fit_into_a_buffer_are_answered(self):
        batches = [[(i, "{}", None) for i in range(20_000)]]
        answers = answers_within(120, self.process().answers(batches))
        self.assertIsNotNone(answers, "no answer to 20,000 lines of {}")
        self.assertEqual([name for name, _ in answers], list(range(20_000)))
        self.assertTrue(all("missing" in answer["error"] for _, answer in answers))

    def test_a_batch_is_answered_before_the_next_one_comes(self):
        process = self.process()
        next_one = threading.Event()

        def batches():
            yield [(1, '{"text": "It works."}', None)]
            next_one.wait(120)
            yield [(2, '{"text": "It does."}', None)]

        answers = process.answers(batches())
        first = answers_within(60, itertools.islice(answers, 1))
        next_one.set()
        self.assertEqual([(name, answer["rows"]) for name, answer in first or []], [(1, 3)])

    def test_back_pressure(self):
        read = [0]

        def documents():
            for i in range(100_000):
                read[0] += 1
                yield i, json.dumps({"id": i, "text": text_of(8)}), None

        process = self.process()
        answers = process.answers([documents()])
        for i in range(3):
            name, answer = next(answers)
            self.assertEqual((name, answer["document"]), (i, str(i)))
        # Nobody asks for more, so no more is read; what is under way fits into pipes and a few pieces of text.
        waiting, since = read[0], time.monotonic()
        while time.monotonic() - since < 2:
            time.sleep(0.1)
            if read[0] > waiting:
                waiting, since = read[0], time.monotonic()
            self.assertLess(waiting * len(text_of(8)), 4 << 20)
        answers.close()
        self.assertIsNotNone(process.child.poll())

    def test_a_process_that_never_works_is_an_error_of_the_task(self):
        process = self.process(["sh", "-c", "read line; exit 3"])
        with self.assertRaisesRegex(RuntimeError, "has ended with status 3"):
            list(process.answers([((i, '{"text": "x"}', None) for i in range(50_000))]))

    def test_what_is_wrong_with_the_documents_is_an_error_of_the_task(self):
        def batches():
            yield [(1, '{"text": "It works."}', None)]
            raise OSError("the partition cannot be read")

        with self.assertRaisesRegex(OSError, "cannot be read"):
            list(self.process().answers(batches()))

    def test_a_poison_document_costs_itself_only(self):
        for how, said, poisons in (
            ("sys.exit(7)", "has ended with status 7", [0, 700, 701, 1999]),
            ("time.sleep(1000)", "did not answer for 3 seconds", [700]),
        ):
            script = "import json, sys, time\nfor line in sys.stdin:\n"
            script += f"    if 'poison' in line: {how}\n    print(json.dumps({{'rows': len(line)}}), flush=True)"
            process = self.process([sys.executable, "-c", script], timeout=3)
            lines = ['{"text": "%s"}' % ("poison" if i in poisons else "x") for i in range(2000)]
            answers = list(process.answers([list(zip(range(1000), lines, [None] * 1000)), [(1000, None, "bad")],
                                            list(zip(range(1001, 2001), lines[1000:], [None] * 1000))]))
            self.assertEqual([name for name, _ in answers], list(range(2001)))
            errors = {name: answer["error"] for name, answer in answers if "error" in answer}
            self.assertEqual(errors.pop(1000), "bad")
            # Those after the document that came by itself have the next number.
            self.assertEqual(list(errors), [i + (i >= 1000) for i in poisons])
            self.assertEqual(set(errors.values()), {f"the process {said} at this document"})

    def test_two_commands_take_turns_without_a_start(self):
        commands = [stemma_spark._command(STEMMA, None, scores) for scores in (False, True)]
        first = [stemma_spark._process_for(command, 60) for command in commands]
        again = [stemma_spark._process_for(command, 60) for command in commands]
        self.assertEqual([id(process) for process in first], [id(process) for process in again])
        stemma_spark._process_for([*commands[0], "--quiet"], 60)
        self.assertIsNotNone(first[0].child.poll(), "a third one ends the one that was not used for longest")
        self.assertIsNone(first[1].child.poll())
        while stemma_spark._processes:
            stemma_spark._processes.popitem()[1].end()


class StemmaOnSpark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="stemma-spark-"))
        cls.starts = cls.folder / "starts"
        cls.starts.touch()
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
            .config("spark.driver.extraJavaOptions", JAVA)
            .config("spark.executor.extraJavaOptions", JAVA)
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
        for run in range(EXECUTOR_KILLS):
            with self.subTest(run=run):
                self.kill_an_executor(f"killed{run}")

    def kill_an_executor(self, name):
        copies = self.spark.range(3).withColumnRenamed("id", "copy")
        many = self.spark.read.json(self.corpus).select("id", "text").crossJoin(copies)
        many = many.select(expr("concat(id, '/', copy)").alias("id"), "text").repartition(24)
        # One that was killed before is replaced after a while.
        for _ in range(600):
            if len(executors()) == 2:
                break
            time.sleep(0.1)
        before = {pid for pid, _ in executors()}
        self.assertEqual(len(before), 2)
        tracker = self.spark.sparkContext.statusTracker()
        killed = []
        # Early or late in the job, in turn.
        least = sum(map(ord, name)) % 12
        written = threading.Event()

        def kill():
            while not written.wait(0.05):
                for stage in tracker.getActiveStageIds():
                    info = tracker.getStageInfo(stage)
                    if info and info.numTasks == 24 and least < info.numCompletedTasks < 20:
                        os.kill(executors()[0][0], signal.SIGKILL)
                        killed.append(info.numCompletedTasks)
                        return

        killer = threading.Thread(target=kill)
        killer.start()
        path = self.write(stemma_spark.parse(many, stemma=self.stemma), name)
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

    def test_5_annotate_adds_columns(self):
        documents = self.spark.read.json(self.corpus).repartition(5)
        # Empty partitions, documents without text, and text that Spark takes for some, with columns of all kinds.
        more = self.spark.sql("select 'n1' id, cast(null as string) text, 1L year union all select 'n2', '', 2L "
                              "union all select 'n3', cast(unhex('ff41') as string), 3L")
        trees = stemma_spark.annotate(documents.unionByName(more), "text", model="en", stemma=self.stemma)
        self.assertEqual(trees.columns, [*documents.columns, "sentences", "error"])
        rows = {row.id: row for row in trees.collect()}
        self.assertEqual(len(rows), self.documents + 3)
        self.assertEqual((rows["n1"].sentences, rows["n1"].error), (None, None))
        self.assertEqual((rows["n2"].sentences, rows["n2"].error), ([], None))
        self.assertEqual(rows["n3"].sentences, None)
        self.assertIn("not UTF-8", rows["n3"].error)
        expected = {}
        for row in self.expected:
            sentences = expected.setdefault(row["document"], [])
            if len(sentences) < row["sentence"]:
                sentences.append((row["text"], []))
            sentences[-1][1].append({name: row[name] for name in stemma_spark._WORD})
        for i in range(self.documents):
            row = rows[f"d{i:04}"]
            self.assertEqual((row.year, row.text, row.error), (1900 + i, text_of(i), None))
            found = [(sentence.text, [word.asDict() for word in sentence.words]) for sentence in row.sentences]
            self.assertEqual(found, expected[row.id])
        self.assertEqual(len(trees.limit(1).collect()), 1)
        with self.assertRaisesRegex(TypeError, "invalid column year: bigint"):
            stemma_spark.annotate(documents, "year")
        with self.assertRaisesRegex(ValueError, "invalid column: text"):
            stemma_spark.annotate(documents, "text", column="text")

    def test_6_a_poison_document_does_not_end_the_job(self):
        # A process that dies of one word, as one would that the system ends for its memory.
        poisoned = self.folder / "poisoned"
        poisoned.write_text('#!/bin/sh\nsed -u "/POISON/q" | grep --line-buffered -v POISON | '
                            + f'{" ".join(STEMMA)} "$@"\n')
        poisoned.chmod(0o755)
        frame = self.spark.createDataFrame([(i, "A POISON." if i == 5 else "It works.") for i in range(20)], "id int, text string")
        rows = stemma_spark.annotate(frame.coalesce(1), "text", stemma=[str(poisoned)]).collect()
        self.assertEqual([row.id for row in rows], list(range(20)))
        self.assertEqual([row.id for row in rows if row.error is not None], [5])
        self.assertEqual(rows[5].error, "the process has ended with status 0 at this document")
        self.assertEqual([len(row.sentences[0].words) for row in rows if row.error is None], [3] * 19)

    def test_7_a_stream(self):
        source, sink = self.folder / "stream", self.folder / "streamed"
        source.mkdir()
        lines = Path(self.corpus).read_text().splitlines()
        starts = len(self.starts.read_text().split())
        for k in range(2):
            (source / f"{k}.json").write_text("\n".join(lines[k * 120 : (k + 1) * 120]) + "\n")
            # A query that ends and begins again, as that of a driver does that is restarted.
            documents = self.spark.readStream.schema("id string, year long, text string").json(str(source))
            trees = stemma_spark.annotate(documents, "text", stemma=self.stemma)
            query = trees.writeStream.format("parquet").option("path", str(sink))
            query = query.option("checkpointLocation", str(self.folder / "stream-checkpoint")).trigger(availableNow=True)
            query.start().awaitTermination()
        rows = self.spark.read.parquet(str(sink)).selectExpr("id", "error", "aggregate(sentences, 0, (n, s) -> n + size(s.words)) n")
        rows = rows.orderBy("id").collect()
        self.assertEqual([row.id for row in rows], [f"d{i:04}" for i in range(self.documents)])
        words = {}
        for row in self.expected:
            words[row["document"]] = words.get(row["document"], 0) + 1
        self.assertEqual({row.id: row.n for row in rows}, words)
        # Batches of a stream share the processes.
        self.assertLessEqual(len(self.starts.read_text().split()) - starts, 2)

    def test_8_a_driver_that_is_killed_goes_on_with_a_checkpoint(self):
        files = self.folder / "files"
        files.mkdir()
        lines = Path(self.corpus).read_text().splitlines()
        for k in range(6):
            (files / f"{k}.jsonl").write_text("\n".join(lines[k * 40 : (k + 1) * 40]) + "\n")
        output = self.folder / "restarted"
        job = [sys.executable, str(HERE / "parse_corpus.py"), str(files / "*.jsonl"), str(output)]
        checkpoint = self.folder / "checkpoint"
        job += ["--stemma", " ".join(self.stemma), "--checkpoint", str(checkpoint), "--batch-files", "2"]
        submit = f"--master local[1] --conf spark.ui.enabled=false --driver-java-options '{JAVA}' pyspark-shell"
        environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": submit}
        finished = output / "batch=0" / "_SUCCESS"
        for is_killed in (True, False):
            run = subprocess.Popen(job, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            if is_killed:
                # In the middle of the second of three batches, with the first one noted.
                while run.poll() is None and not (checkpoint / "commits" / "0").exists():
                    time.sleep(0.02)
                os.killpg(run.pid, signal.SIGKILL)
                written = finished.stat().st_mtime_ns
            run.wait()
        self.assertEqual(run.returncode, 0)
        self.assertEqual(len(list(output.glob("batch=*/_SUCCESS"))), 3)
        self.assertEqual(finished.stat().st_mtime_ns, written, "the second driver begins where the first one was")
        rows = sorted_rows(output)
        self.assertEqual([row.pop("error") for row in rows], [None] * len(rows))
        self.assertEqual(rows, self.expected)

    def test_9_the_job_of_the_command_line(self):
        texts = self.folder / "texts"
        texts.mkdir()
        for i in range(3):
            (texts / f"{i}.txt").write_text(text_of(i))
        job = ["parse_corpus.py", str(texts / "*.txt"), str(self.folder / "job"), "--format", "text"]
        # It ends the session, so that this test is the last one.
        with patch.object(sys, "argv", [*job, "--stemma", " ".join(self.stemma)]):
            parse_corpus.main()
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
