#!/usr/bin/env python3
"""Seals lines with a NATS server and two workers on this machine. The answers come in any order.

    local.py -- pushcrypt seal --lines --sign-with server.jwks < lines > sealed
"""

import argparse
import asyncio
import contextlib
import json
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import nats

import worker

EXIT_REJECTED = 65
WORKER = pathlib.Path(__file__).resolve().parent / "worker.py"


@contextlib.contextmanager
def server(directory):
    """Runs a server with JetStream, which keeps its files in a directory. Returns its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(["nats-server", "-js", "-a", "127.0.0.1", "-p", str(port), "-sd", directory],
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield f"nats://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


async def put(jetstream, lines):
    """Publishes requests, 1,000 at a time. Returns their number."""
    number, batch = 0, []
    for number, line in enumerate(lines, 1):
        batch.append(jetstream.publish(worker.REQUESTS, line.rstrip(b"\n")))
        if len(batch) == 1000:
            await asyncio.gather(*batch)
            batch.clear()
    await asyncio.gather(*batch)
    return number


async def get(jetstream, number, workers=()):
    """Yields the answers to a number of requests, unless a worker fails."""
    answers = await jetstream.pull_subscribe("", durable="local", stream=worker.ANSWER_STREAM)
    while number > 0 and not any(process.poll() for process in workers):
        with contextlib.suppress(asyncio.TimeoutError):
            for answer in await answers.fetch(1000, timeout=1):
                # A slow reader must not get it again.
                await answer.ack()
                yield answer.data
                number -= 1


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filter", nargs="+", help="the command of the filter, after --")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory, server(directory) as address:
        jetstream = (await nats.connect(address)).jetstream(timeout=worker.TIMEOUT)
        await worker.create_streams(jetstream, 30)
        workers = [subprocess.Popen([sys.executable, WORKER, "--server", address, "--", *options.filter])
                   for _ in range(2)]
        rejected = False
        try:
            number = await put(jetstream, sys.stdin.buffer)
            async for answer in get(jetstream, number, workers):
                rejected = rejected or "headers" not in json.loads(answer, parse_int=str)
                sys.stdout.buffer.write(answer + b"\n")
        finally:
            for process in workers:
                process.send_signal(signal.SIGTERM)
            # A worker that was still starting ends with the signal.
            failed = any([process.wait() > 0 for process in workers])
    return 1 if failed else EXIT_REJECTED if rejected else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
