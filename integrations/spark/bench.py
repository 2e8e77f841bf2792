"""What Spark costs: words a second with one and two executors, and what a partition and a row cost beside parsing.

    python3 integrations/spark/bench.py corpus.jsonl        (node bench/speed/corpus.mjs speed --spark python3 calls it)

The last line is JSON. Efficiency is what two executors do compared with twice what one does; by CPU, what one spends
on a word compared with what two spend, which other work on the machine changes less.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pyspark.sql import SparkSession

import stemma_spark

HERE = Path(__file__).resolve().parent
STEMMA = ["node", str(HERE.parent.parent / "packages" / "cli" / "bin" / "stemma.js")]
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])


def run(executors: int, corpus: str, folder: str) -> dict:
    spark = (
        SparkSession.builder.master(f"local-cluster[{executors},1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "512m")
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    lines = spark.read.text(corpus).repartition(16).cache()
    lines.count()
    begun = time.time()
    stemma_spark.parse_lines(lines.limit(1), stemma=STEMMA).count()
    warm = time.time() - begun
    # Workers, processes and models are there from here on.
    stemma_spark.parse_lines(lines.limit(executors * 4).repartition(executors * 2), stemma=STEMMA).count()
    begun, spent = time.time(), cpu()
    stemma_spark.parse_lines(lines, stemma=STEMMA).write.parquet(f"{folder}/{executors}")
    seconds, spent = time.time() - begun, cpu() - spent
    words = spark.read.parquet(f"{folder}/{executors}").count()
    begun = time.time()
    stemma_spark.parse_lines(spark.createDataFrame([], "value string").repartition(16), stemma=STEMMA).count()
    empty = time.time() - begun
    result = {"seconds": seconds, "cpu": spent, "words": words}
    result |= {"start-up": warm, "partition": empty / 16, "memory": memory()}
    spark.stop()
    return result


def processes() -> list[list[str]]:
    """Number, resident kilobytes and command of every process under this one."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,rss=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 3) for line in listing.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, *_ in rows}

    def is_own(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [[pid, rss, *args] for pid, _, rss, *args in rows if is_own(int(pid))]


def cpu() -> float:
    """Seconds of CPU of all processes under this one, and of those that they have waited for."""
    ticks = 0
    for pid, *_ in processes():
        try:
            # The name in parentheses may have spaces.
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


def memory() -> dict:
    """Resident memory of the largest process of each kind under this one, in MB."""
    rows = processes()
    kinds = {"executor": "CoarseGrainedExecutorBackend", "Python worker": "pyspark.daemon", "stemma": "--to columns"}
    return {
        name: max((int(rss) // 1024 for _, rss, *args in rows if args and mark in args[0]), default=0)
        for name, mark in kinds.items()
    }


def serialisation(corpus: str) -> float:
    """Seconds of this processor for each million words between the lines of stemma and batches of Arrow."""
    command = [*STEMMA, "parse", corpus, "--from", "jsonl", "--to", "columns", "--quiet"]
    lines = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
    begun = time.process_time()
    rows = stemma_spark._Rows()
    words = 0
    for line in lines:
        rows.add(None, json.loads(line))
        if rows.count >= stemma_spark.BATCH_ROWS:
            words += rows.take().num_rows
    words += rows.take().num_rows
    return (time.process_time() - begun) / words * 1e6


def main() -> None:
    folder = tempfile.mkdtemp(prefix="stemma-spark-bench-")
    one, two = (run(executors, sys.argv[1], folder) for executors in (1, 2))
    shutil.rmtree(folder)
    print(
        json.dumps(
            {
                "one executor, words/s": one["words"] / one["seconds"],
                "two executors, words/s": two["words"] / two["seconds"],
                "two executors: efficiency": one["seconds"] / two["seconds"] / 2,
                "one executor, words/s of CPU": one["words"] / one["cpu"],
                "two executors: efficiency by CPU": (one["cpu"] / one["words"]) / (two["cpu"] / two["words"]),
                "start-up of an executor's first task, seconds": one["start-up"],
                "an empty partition, seconds": one["partition"],
                "serialisation, seconds of CPU for a million words": serialisation(sys.argv[1]),
                **{f"memory of the {name}, MB": value for name, value in one["memory"].items()},
            }
        )
    )


if __name__ == "__main__":
    main()
