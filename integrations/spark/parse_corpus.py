"""Parses a corpus with Stemma on Spark into a directory of Parquet files.

    spark-submit --py-files stemma_spark.py parse_corpus.py 'corpus/*.jsonl.gz' words --stemma stemma --partitions 400
    spark-submit --py-files stemma_spark.py parse_corpus.py 'books/*.txt' words --format text

jsonl: a document in each line. text: every file is a document. parquet: a table with the columns --id-field and
--text-field.

With --checkpoint the files are taken some at a time, and what is finished is noted there: a job whose driver was killed
goes on when it is submitted again. The output then has a directory for each of these batches (batch=0, batch=1, …).
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
    arguments.add_argument("--checkpoint", help="directory in which finished batches are noted")
    arguments.add_argument("--batch-files", type=int, default=100, help="files of a batch (default: 100)")
    options = arguments.parse_args()

    spark = SparkSession.builder.appName("stemma").getOrCreate()
    how = {"stemma": shlex.split(options.stemma), "model": options.model, "scores": options.scores}

    def words_of(documents):
        if options.partitions:
            documents = documents.repartition(options.partitions)
        fields = {"text": options.text_field, "id": options.id_field}
        if options.format == "jsonl":
            return stemma_spark.parse_lines(documents, text_field=fields["text"], id_field=fields["id"], **how)
        if options.format == "text":
            fields = {"text": "value", "id": "id"}
        return stemma_spark.parse(documents, **fields, **how)

    def read(reader):
        if options.format == "parquet":
            return reader.parquet(options.input)
        lines = reader.text(options.input, wholetext=options.format == "text")
        return lines.select(input_file_name().alias("id"), "value") if options.format == "text" else lines

    if options.checkpoint is None:
        words_of(read(spark.read)).write.parquet(options.output)
    else:
        stream = spark.readStream.option("maxFilesPerTrigger", options.batch_files)
        if options.format == "parquet":
            stream = stream.schema(spark.read.parquet(options.input).schema)

        def write(documents, number):
            # A batch that a driver did not finish is done again, in the place of what is there of it.
            words_of(documents).write.mode("overwrite").parquet(f"{options.output}/batch={number}")

        query = read(stream).writeStream.foreachBatch(write).option("checkpointLocation", options.checkpoint)
        query.trigger(availableNow=True).start().awaitTermination()
    spark.stop()


if __name__ == "__main__":
    main()
