"""Docs/Scale/spark: an executor and a filter are killed, and the controls."""

import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

from lines import Failed, ROOT, require

DIRECTORY = ROOT / "Docs" / "Scale" / "spark"
CAMPAIGN = DIRECTORY / "campaign.py"
CONTROLS = ROOT / "Tests" / "Scale" / "faults" / "campaign.py"
EXECUTOR = "CoarseGrainedExecutorBackend"
PARTS = 20
TIMEOUT = 600  # seconds of one campaign


def answers(directory):
    """Returns the lines of a complete output."""
    require((directory / "_SUCCESS").exists(), f"{directory} isn't complete.")
    return [line for part in sorted(directory.glob("part-*")) for line in part.read_bytes().splitlines()]


def environment(corpus):
    """Returns the environment: small parts, and a JVM that starts quickly."""
    size = max(corpus.path.stat().st_size // PARTS, 10_000)
    return os.environ | {"PYSPARK_PYTHON": sys.executable, "PYSPARK_SUBMIT_ARGS": shlex.join([
        "--conf", f"spark.sql.files.maxPartitionBytes={size}", "--conf", f"spark.sql.files.openCostInBytes={size}",
        "--conf", "spark.ui.enabled=false", "--conf", "spark.ui.showConsoleProgress=false",
        "--conf", "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1",
        "--driver-java-options", "-XX:TieredStopAtLevel=1", "pyspark-shell"])}


def start(command, corpus, log, **options):
    with log.open("wb") as file:
        return subprocess.Popen([str(part) for part in command], stderr=file, env=environment(corpus), **options)


def end(process, log, status):
    if process.wait(TIMEOUT) != status:
        raise Failed(f"The campaign ended with {process.returncode}:\n{log.read_text()[-3000:]}")
    return log.read_text()


def processes(root):
    """Returns the processes below one, with their commands."""
    parents, commands = {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            commands[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    found, new = {}, {root}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - set(found)
        found |= {child: commands[child] for child in new}
    return found


def kill_executor(process, corpus, output, log):
    """Kills an executor in the middle, while its filter runs. Returns how many parts were written."""
    while process.poll() is None:
        written = len(list(output.glob("_temporary/0/task_*")))
        if PARTS // 4 <= written < PARTS - 2:
            for executor, command in processes(process.pid).items():
                if EXECUTOR in command and any(str(corpus.keyring) in child for child in processes(executor).values()):
                    os.kill(executor, signal.SIGKILL)
                    return written
        time.sleep(0.01)
    raise Failed(f"The campaign ended before an executor was killed:\n{log.read_text()[-3000:]}")


def run(corpus, work):
    directory = work / "spark"
    directory.mkdir()
    parquet, log = directory / "recipients.parquet", directory / "log"
    part = corpus.count // PARTS
    crashing = corpus.crashing(directory / "crash-1", part // 2)
    command = [sys.executable, CONTROLS, corpus.path, parquet, directory, *crashing, "--", *corpus.filter]
    controls = start(command, corpus, log, stdout=subprocess.PIPE)
    output = controls.stdout.read()
    end(controls, log, 0)
    require(b'{"strict fails": true}' in output, "A campaign with rejected lines passes without accepting status 65.")
    missing, doubled = corpus.tally(answers(directory / "unchecked"))
    require(missing > 0, "Without checkCode, a killed filter loses nothing.")
    print(f"control without checkCode: {missing} lines missing, {doubled} doubled, and the job succeeds", flush=True)
    print("control without accepting status 65: the job fails", flush=True)

    sealed, begin = directory / "killed-executor", time.monotonic()
    process = start([sys.executable, CAMPAIGN, "--master", "local-cluster[2,1,1024]", parquet, sealed, "--", *corpus.filter],
                    corpus, log)
    written = kill_executor(process, corpus, sealed, log)
    require("Lost executor" in end(process, log, 65), "Spark didn't miss the executor.")
    corpus.check(f"spark, one of 2 executors killed after {written} of {PARTS} parts", answers(sealed), begin)

    sealed, begin = page_command(corpus, directory), time.monotonic()
    process = start(["/bin/bash", "-euc", sealed], corpus, log, cwd=work)
    text = end(process, log, 65)
    rejected = sum(b'"error"' in answer for answer in answers(work / "sealed"))
    require(f"{corpus.count - rejected} lines sealed, {rejected} rejected" in text, "The campaign's summary is wrong.")
    require((directory / "crash-2").exists(), "The filter wasn't killed.")
    corpus.check("spark, the page's command with a filter killed", answers(work / "sealed"), begin)


def page_command(corpus, directory):
    """Returns the first command of the page, with a tool that is killed once."""
    command = re.search(r"```sh\n(.*?)```", (DIRECTORY / "README.md").read_text(), re.S)[1]
    shim(directory, corpus.crashing(directory / "crash-2", corpus.count // PARTS // 2))
    (directory.parent / "Docs").symlink_to(ROOT / "Docs")
    return f'PATH="{directory}:$PATH"\n{command}'


def shim(directory, command):
    """Writes a command `pushcrypt` whose `seal --lines --sign-with server.jwks` is a filter."""
    path = directory / "pushcrypt"
    path.write_text('#!/bin/sh\n[ "$1 $2 $3 $4" = "seal --lines --sign-with server.jwks" ] || exit 64\n'
                    f"exec {shlex.join(command)}\n")
    path.chmod(0o755)
