"""The controls of Spark, and the Parquet file for the other runs. Prints what became of each, as JSON.

    campaign.py RECIPIENTS PARQUET OUT CRASHING-FILTER... -- FILTER...
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Docs" / "Scale" / "spark"))
import campaign  # noqa: E402
from pyspark import RDD  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

recipients, parquet, out, *commands = sys.argv[1:]
crashing, command = commands[:commands.index("--")], commands[commands.index("--") + 1:]
spark = SparkSession.builder.master("local[2,4]").getOrCreate()
spark.read.json(recipients, lineSep="\n").repartition(20).write.parquet(parquet)
lines = campaign.read(spark, recipients)

checked = RDD.pipe
RDD.pipe = lambda rdd, text, environment, checkCode: checked(rdd, text, environment)
campaign.seal(lines, crashing, f"{out}/unchecked")
RDD.pipe = checked

campaign.ACCEPT_REJECTED_LINES = 'exec "$@"'
try:
    campaign.seal(lines, command, f"{out}/strict")
    failed = False
except Exception:  # Py4J's
    failed = True
spark.stop()
print(json.dumps({"strict fails": failed}))
