"""Parses a corpus with Stemma on Spark into a directory of Parquet files.

    spark-submit --py-files stemma_spark.py parse_corpus.py 'corpus/*.jsonl.gz' words --stemma stemma --partitions 400
    spark-submit --py-files stemma_spark.py parse_corpus.py 'books/*.txt' words --format text

jsonl: a document in each line. text: every file is a document. parquet: a table with the columns --id-field and
--text-field.
"""

import argparse
import shlex

from pyspark.sql import SparkSession
from pyspark.sql.functions import input_file_name

import stemma_spark


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("input", help="path or pattern of the files")
    arguments.add_argument("output", help="directory for the Parquet files; it must not be there yet")
    arguments.add_argument("--format", choices=["jsonl", "text", "parquet"], default="jsonl")
    arguments.add_argument("--stemma", default="stemma", help="the command on the executors (default: stemma)")
    arguments.add_argument("--model", help="path of the model on the executors (default: the one that ships)")
    arguments.add_argument("--text-field", default="text")
    arguments.add_argument("--id-field", default="id")
    arguments.add_argument("--scores", action="store_true")
    arguments.add_argument("--partitions", type=int, help="number of partitions (default: as Spark reads the files)")
    options = arguments.parse_args()

    spark = SparkSession.builder.appName("stemma").getOrCreate()
    how = {"stemma": shlex.split(options.stemma), "model": options.model, "scores": options.scores}
    if options.format == "jsonl":
        lines = spark.read.text(options.input)
        lines = lines.repartition(options.partitions) if options.partitions else lines
        words = stemma_spark.parse_lines(lines, text_field=options.text_field, id_field=options.id_field, **how)
    elif options.format == "text":
        files = spark.read.text(options.input, wholetext=True).select(input_file_name().alias("id"), "value")
        files = files.repartition(options.partitions) if options.partitions else files
        words = stemma_spark.parse(files, text="value", id="id", **how)
    else:
        rows = spark.read.parquet(options.input)
        rows = rows.repartition(options.partitions) if options.partitions else rows
        words = stemma_spark.parse(rows, text=options.text_field, id=options.id_field, **how)
    words.write.parquet(options.output)
    spark.stop()


if __name__ == "__main__":
    main()
