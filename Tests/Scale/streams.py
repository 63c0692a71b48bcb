"""Docs/Scale/nats: workers are killed between publication and acknowledgement, stopped, and lose their filter."""

import asyncio
import contextlib
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from campaigns import shim
from lines import ROOT, require

DIRECTORY = ROOT / "Docs" / "Scale" / "nats"
sys.path.insert(0, str(DIRECTORY))
import local  # noqa: E402
import nats  # noqa: E402
import worker  # noqa: E402

FAULTY = ROOT / "Tests" / "Scale" / "faults" / "worker.py"
ACK_WAIT = 5  # seconds
TIMEOUT = 600  # seconds of one run
SMALL = 3000  # lines for what doesn't depend on their number


class Run:
    """A server with streams and requests."""

    def __init__(self, corpus, address, jetstream):
        self.corpus, self.address, self.jetstream = corpus, address, jetstream
        self.workers, self.start = [], time.monotonic()

    async def put(self, count):
        lines = (self.corpus.line(number).replace(b"\r", b"\n") for number in range(count))
        await local.put(self.jetstream, lines)

    def worker(self, *faults, filter=None, **options):
        program = [FAULTY, *map(str, faults)] if faults else [worker.__file__]
        self.workers.append(subprocess.Popen(
            [sys.executable, *program, "--server", self.address, "--ack-wait", str(ACK_WAIT), "--",
             *(filter or self.corpus.filter)], **options))
        return self.workers[-1]

    async def waiting(self):
        return (await self.jetstream.stream_info(worker.REQUEST_STREAM)).state.messages

    async def answered(self):
        return (await self.jetstream.stream_info(worker.ANSWER_STREAM)).state.messages

    async def until(self, condition):
        """Waits for a condition, which is asked every 100 ms."""
        end = time.monotonic() + TIMEOUT
        while not await condition():
            require(time.monotonic() < end, f"{await self.waiting()} requests wait for more than {TIMEOUT} s.")
            await asyncio.sleep(0.1)

    async def empty(self):
        return await self.waiting() == 0

    async def answers(self):
        return [answer async for answer in local.get(self.jetstream, await self.answered())]

    def stop(self):
        """Stops the workers that run, and returns the exit statuses of all."""
        for process in self.workers:
            process.terminate()
        return [process.wait(30) for process in self.workers]


@contextlib.asynccontextmanager
async def streams(corpus):
    with tempfile.TemporaryDirectory() as directory, local.server(directory) as address:
        connection = await nats.connect(address)
        run = Run(corpus, address, connection.jetstream(timeout=worker.TIMEOUT))
        try:
            await worker.create_streams(run.jetstream, ACK_WAIT)
            yield run
        finally:
            run.stop()
            await connection.close()


async def killed(corpus, count, *faults, window=None):
    """Runs two workers and kills one between publication and acknowledgement. Returns the answers and the report."""
    async with streams(corpus) as run:
        if window:
            config = (await run.jetstream.stream_info(worker.ANSWER_STREAM)).config
            await run.jetstream.update_stream(config.evolve(duplicate_window=window))
        run.start = time.monotonic()
        # Whole batches are acknowledged before.
        first = run.worker(count // 5 // worker.BATCH * worker.BATCH, ",".join(faults) or "-", stdout=subprocess.PIPE)
        run.worker(*([0, ",".join(faults)] if faults else []))
        await run.put(count)
        await run.until(run.empty)
        seconds = time.monotonic() - run.start
        statuses = run.stop()
        require(statuses == [-signal.SIGKILL, 0], f"The workers ended with {statuses}.")
        report = first.stdout.read().decode().strip()
        return await run.answers(), report, time.monotonic() - seconds


async def interrupted(corpus):
    """Stops a worker gracefully, then kills a worker's filter, and lets another worker finish."""
    async with streams(corpus) as run:
        await run.put(corpus.count)
        first = run.worker()
        await run.until(lambda: at_least(run, corpus.count // 5))
        first.terminate()
        require(first.wait(30) == 0, "A worker can't be stopped.")
        consumer = await run.jetstream.consumer_info(worker.REQUEST_STREAM, worker.CONSUMER)
        answered, waiting = await run.answered(), await run.waiting()
        require(consumer.num_ack_pending == 0 and answered + waiting == corpus.count and waiting > 0,
                f"After a graceful stop, {consumer.num_ack_pending} requests are delivered and not acknowledged.")
        print(f"nats: SIGTERM after {answered} answers leaves {waiting} requests, none unacknowledged", flush=True)

        with tempfile.TemporaryDirectory() as directory:
            crashed = run.worker(filter=corpus.crashing(pathlib.Path(directory) / "marker", 300), stderr=subprocess.DEVNULL)
            require(crashed.wait(60) == 1, "A worker doesn't report that its filter was killed.")
        run.worker()
        await run.until(run.empty)
        require(run.stop() == [0, 1, 0], "A worker failed.")
        return await run.answers(), run.start


async def at_least(run, count):
    return await run.answered() >= count


async def torn(corpus):
    """Publishes a part of a line. The worker rejects it, and says why."""
    async with streams(corpus) as run:
        await local.put(run.jetstream, [corpus.line(1)[:-5]])
        process = run.worker(stderr=subprocess.PIPE)
        await run.until(run.empty)
        require(run.stop() == [0], "A worker that rejects a part of a line failed.")
        require(b"hint: request 1 isn't a whole line" in process.stderr.read(), "A part of a line isn't named.")
        answers = await run.answers()
        require(len(answers) == 1 and b"malformed-json" in answers[0], f"The answer to a part of a line is {answers}.")


def page_command(corpus, work):
    """Runs the first command of the page."""
    command = re.search(r"```sh\n(.*?)```", (DIRECTORY / "README.md").read_text(), re.S)[1]
    (work / "nats").mkdir()
    shim(work / "nats", corpus.filter)
    if not (work / "Docs").exists():
        (work / "Docs").symlink_to(ROOT / "Docs")
    ended = subprocess.run(["/bin/bash", "-euc", f'PATH="{work / "nats"}:$PATH"\n{command}'], cwd=work, timeout=TIMEOUT)
    require(ended.returncode == 65, f"The page's command with rejected lines ended with {ended.returncode}.")
    return (work / "sealed.ndjson").read_bytes().splitlines()


def run(corpus, work):
    count = corpus.count
    for name, faults, window in (("Nats-Msg-Id", ["no-id"], None), ("a window as long as the redelivery", ["no-setup"], 1)):
        small = corpus.part(min(count, 10_000))
        answers, report, _ = asyncio.run(killed(small, small.count, *faults, window=window))
        missing, doubled = small.tally(answers)
        require(doubled > 0 and missing == 0, f"Without {name}, {missing} lines are missing and {doubled} doubled.")
        print(f"control without {name}: a worker {report}; {missing} of {small.count} lines missing, {doubled} doubled",
              flush=True)

    answers, report, start = asyncio.run(killed(corpus, count))
    require("published and not acknowledged" in report, "No worker was killed.")
    corpus.check(f"nats, one of 2 workers {report}", answers, start)

    small = corpus.part(min(count, SMALL))
    asyncio.run(torn(small))
    answers, start = asyncio.run(interrupted(small))
    small.check("nats, a worker stopped and a filter killed", answers, start)

    start = time.monotonic()
    small.path.write_bytes(b"".join(small.line(number) + b"\n" for number in range(small.count)))
    small.check("nats, the page's command", page_command(small, work), start)
