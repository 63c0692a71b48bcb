#!/usr/bin/env python3
"""Seals a campaign with Apache Spark: one recipient per line or row in, one sealed push per line out.

    campaign.py recipients.ndjson sealed -- pushcrypt seal --lines --sign-with server.jwks --payload payload.json

The exit status is that of the filter: 0 if all lines are sealed, and 65 if some are rejected. Any other one is a failure.
"""

import argparse
import os
import shlex
import sys

from pyspark.sql import SparkSession, functions

# The filter ends with 65 after it answered all lines and rejected some. Spark must not repeat such a task.
ACCEPT_REJECTED_LINES = '"$@" || [ $? -eq 65 ]'
# Spark starts the filter without any environment otherwise.
ENVIRONMENT = ("PATH", "HOME")
EXIT_REJECTED = 65


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--master", default="local[*,4]", help="Spark's master (default: this machine, 4 attempts per task)")
    parser.add_argument("recipients", help="NDJSON, or Parquet if the name ends with .parquet")
    parser.add_argument("sealed", help="a new directory for the output")
    parser.add_argument("filter", nargs="+", help="the command of the filter, after --")
    return parser.parse_args()


def read(spark, path):
    """Returns the lines for the filter. Parquet files have the columns `to` and, without --payload, the struct `payload`."""
    if path.rstrip("/").endswith(".parquet"):
        return spark.read.parquet(path).toJSON()
    return spark.read.text(path, lineSep="\n").rdd.map(lambda row: row.value)


def seal(lines, command, path):
    """Writes the sealed lines. Without checkCode, Spark keeps a part of the lines if the filter is killed."""
    tolerant = shlex.join(["/bin/sh", "-c", ACCEPT_REJECTED_LINES, "seal", *command])
    environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    lines.pipe(tolerant, environment, checkCode=True).saveAsTextFile(path)


def count(spark, path):
    """Returns the numbers of sealed and of rejected lines. It reads the output: a second `pipe` would seal again."""
    is_sealed = functions.get_json_object("value", "$.headers").isNotNull()
    counts = {row.is_sealed: row["count"] for row in
              spark.read.text(path, lineSep="\n").groupBy(is_sealed.alias("is_sealed")).count().collect()}
    return counts.get(True, 0), counts.get(False, 0)


def main():
    options = arguments()
    spark = SparkSession.builder.appName("pushcrypt").master(options.master).getOrCreate()
    try:
        seal(read(spark, options.recipients), options.filter, options.sealed)
        sealed, rejected = count(spark, options.sealed)
    finally:
        spark.stop()
    print(f"{sealed} lines sealed, {rejected} rejected", file=sys.stderr)
    return EXIT_REJECTED if rejected else 0


if __name__ == "__main__":
    sys.exit(main())
