"""Docs/Scale/nats/sender.py: a worker is killed, stopped, and APNs is away for longer than a line may be unacknowledged."""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from lines import REJECTED, ROOT, require

sys.path.insert(0, str(ROOT / "Tests" / "Sending"))
import apns_server  # noqa: E402
import streams  # noqa: E402
import sender  # noqa: E402
import worker  # noqa: E402

FAULTY = ROOT / "Tests" / "Scale" / "faults" / "sender.py"
# The test server refuses a device token that has another length than 32 bytes.
UNKNOWN_DEVICE = "00"


def builds():
    """Returns the tool and the test server with the trait APNs, optimised ones if they exist."""
    directories = [ROOT / ".build-traits" / configuration for configuration in ("release", "debug")]
    for directory in directories:
        if all((directory / name).exists() for name in ("pushcrypt", "TestAPNsServer")):
            return directory / "pushcrypt", directory / "TestAPNsServer"
    require(False, "Build pushcrypt and TestAPNsServer with '--traits APNs --scratch-path .build-traits'.")


class Run(streams.Run):
    """A server with streams, and APNs beside it."""

    def __init__(self, corpus, address, jetstream, apns):
        super().__init__(corpus, address, jetstream)
        self.apns, facts = apns, apns.facts
        self.send = [str(builds()[0]), "send", "--lines", "--unordered", "--p8", str(apns.work / "key.p8"),
                     "--key-id", facts["keyID"], "--team-id", facts["teamID"], "--token-file", str(apns.work / "token"),
                     "--host", facts["host"], "--port", str(facts["port"]), "--ca", str(apns.work / "ca.pem")]

    async def put(self, count):
        """Seals lines with device tokens, and leaves them in the stream."""
        lines = []
        for number in range(count):
            line = self.corpus.line(number).replace(b"\r", b"\n")
            lines.append(line[:-1] + f',"token":"{token(number)}"}}'.encode())
        await streams.local.put(self.jetstream, lines)
        sealer = self.worker(filter=[*self.corpus.filter, "--topic", self.apns.facts["topic"]])
        await self.until(self.empty)
        sealer.terminate()
        require(sealer.wait(30) == 0, "The worker that seals failed.")
        self.workers.clear()

    def sender(self, kill_after=None, filter=None, **options):
        program = [sender.__file__] if kill_after is None else [FAULTY, str(kill_after)]
        self.workers.append(subprocess.Popen(
            [sys.executable, *program, "--server", self.address, "--ack-wait", str(streams.ACK_WAIT), "--",
             *(filter or self.send)], **options))
        return self.workers[-1]

    async def sent(self):
        return await self.consumer("num_pending") == 0 and await self.consumer("num_ack_pending") == 0

    async def consumer(self, name):
        return getattr(await self.jetstream.consumer_info(worker.ANSWER_STREAM, sender.CONSUMER), name)

    async def refused(self):
        """Returns the lines that the senders have published as refused."""
        refusals = await self.jetstream.pull_subscribe("", durable="refused", stream=sender.REFUSAL_STREAM)
        count = (await self.jetstream.stream_info(sender.REFUSAL_STREAM)).state.messages
        lines = []
        while len(lines) < count:
            for message in await refusals.fetch(1000, timeout=5):
                await message.ack()
                lines.append(json.loads(message.data))
        return lines


def token(number):
    return UNKNOWN_DEVICE if number % 1000 == 1 else f"{number:064x}"


@contextlib.asynccontextmanager
async def run_with_apns(corpus):
    with tempfile.TemporaryDirectory() as nats_files, tempfile.TemporaryDirectory() as apns_files, \
            streams.local.server(nats_files) as address:
        apns = apns_server.Server(builds()[1], pathlib.Path(apns_files))
        connection = await streams.nats.connect(address)
        run = Run(corpus, address, connection.jetstream(timeout=worker.TIMEOUT), apns)
        try:
            await sender.create_streams(run.jetstream, streams.ACK_WAIT)
            yield run
        finally:
            run.stop()
            apns.kill()
            await connection.close()


async def check(run, count, doubled_limit):
    """Checks that each push was accepted with one ID and one payload, and the others are refused. Returns the doubles."""
    wanted = [number for number in range(count) if number % REJECTED]
    accepted, refused = run.apns.pushes(), await run.refused()
    lost = [number for number in wanted if token(number) != UNKNOWN_DEVICE and number not in accepted]
    require(not lost, f"{len(lost)} pushes are lost, such as {lost[:5]}.")
    payloads = run.apns.payloads()
    mixed = [number for number, ids in accepted.items() if len(set(ids)) > 1 or len(payloads[number]) > 1]
    require(not mixed, f"{len(mixed)} doubled pushes differ, such as {mixed[:5]}.")
    unknown = sorted(number for number in wanted if token(number) == UNKNOWN_DEVICE)
    require(sorted(line["id"] for line in refused) == unknown, f"{len(refused)} pushes are refused, not {len(unknown)}.")
    require(all(line["error"]["advice"] and "payload" not in line for line in refused), "A refusal has no advice.")
    doubled = sum(len(ids) - 1 for ids in accepted.values())
    require(doubled <= doubled_limit, f"{doubled} pushes are doubled, more than {doubled_limit}.")
    return doubled


async def killed(corpus):
    """Kills one of two workers after APNs has answered a push, and lets the other one finish."""
    async with run_with_apns(corpus) as run:
        await run.put(corpus.count)
        start = time.monotonic()
        first = run.sender(corpus.count // 5)
        run.sender()
        await run.until(run.sent)
        seconds = time.monotonic() - start
        statuses = run.stop()
        require(statuses == [-signal.SIGKILL, 0], f"The workers ended with {statuses}.")
        doubled = await check(run, corpus.count, sender.WINDOW)
        require(doubled > 0, "The worker was killed too early: no push is doubled.")
        print(f"nats, sending, one of 2 workers killed: {corpus.count} lines, no push lost, {doubled} doubled, each with one "
              f"apns-id; {seconds:.1f} s with the redelivery after {streams.ACK_WAIT} s", flush=True)


async def outage(corpus):
    """Stops APNs for longer than the time after which the server would deliver a line to another worker."""
    async with run_with_apns(corpus) as run:
        await run.put(corpus.count)
        run.sender()
        await run.until(lambda: at_most(run, corpus.count // 2))
        run.apns.kill()
        before = len(run.apns.log.read_bytes())
        await asyncio.sleep(2 * streams.ACK_WAIT)
        require(await run.consumer("num_pending") > 0, "All was sent before the outage.")
        redelivered = await run.consumer("num_redelivered")
        require(redelivered == 0, f"{redelivered} lines were delivered again, although their worker lives.")
        # A worker that is stopped doesn't wait for the end of the outage.
        run.workers[0].terminate()
        status = run.workers[0].wait(60)
        require(status == 1, f"A worker that is stopped during an outage ended with {status}.")
        run.apns.start()
        require(len(run.apns.log.read_bytes()) > before, "APNs doesn't start.")
        run.sender()
        await run.until(run.sent)
        require(run.stop() == [1, 0], "The second worker failed.")
        doubled = await check(run, corpus.count, sender.WINDOW)
        print(f"nats, sending, an outage of {2 * streams.ACK_WAIT} s: {corpus.count} lines, no push lost, {doubled} doubled",
              flush=True)


async def at_most(run, count):
    return await run.consumer("num_pending") <= count


async def steady(corpus):
    """Sends with one worker, and measures."""
    async with run_with_apns(corpus) as run:
        await run.put(corpus.count)
        start, before = time.monotonic(), os.times()
        process = run.sender()
        await run.until(run.sent)
        seconds = time.monotonic() - start
        process.terminate()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        require(process.returncode == 0, f"The worker ended with {process.returncode}.")
        doubled = await check(run, corpus.count, sender.WINDOW)
        cost = (usage.ru_utime + usage.ru_stime) / corpus.count * 1e6
        print(f"nats, sending, one worker: {corpus.count} lines, none lost, {doubled} doubled; {corpus.count / seconds:.0f} "
              f"lines/s; {cost:.0f} CPU seconds for a million, worker and filter", flush=True)


async def no_unordered(corpus):
    """A filter that keeps the order is an error, not a stall."""
    async with run_with_apns(corpus) as run:
        await run.put(corpus.count)
        ordered = [word for word in run.send if word != "--unordered"]
        process = run.sender(filter=ordered, stderr=subprocess.PIPE)
        require(process.wait(60) == 1 and b"--unordered" in process.stderr.read(), "The missing option isn't named.")


def run(corpus, work):
    small = corpus.part(min(corpus.count, 20_000))
    asyncio.run(no_unordered(corpus.part(600)))
    asyncio.run(steady(corpus))
    asyncio.run(killed(small))
    asyncio.run(outage(small))
