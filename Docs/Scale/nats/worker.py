#!/usr/bin/env python3
"""Seals the requests of a NATS JetStream stream. Run as many workers as you have cores.

    worker.py --server nats://localhost:4222 -- pushcrypt seal --lines --sign-with server.jwks

A worker acknowledges a request after the server has stored its answer. If it fails in between, another worker seals the
request again, and the server drops the second answer because it has the same id. SIGTERM and SIGINT stop it gracefully.
"""

import argparse
import asyncio
import json
import signal
import sys

import nats
from nats.js.api import RetentionPolicy

REQUESTS, SEALED, REJECTED = "push.requests", "push.sealed", "push.rejected"
REQUEST_STREAM, ANSWER_STREAM, CONSUMER = "PUSH_REQUESTS", "PUSH_ANSWERS", "sealers"
BATCH = 256
MAX_DELIVER = 5
TIMEOUT = 30  # seconds for the server to store an answer
MAX_ACK_PENDING = 100 * BATCH  # for 100 workers
MAX_ANSWER = 1_048_576  # bytes; also the server's limit of a message


def message_id(message):
    """Returns the same id for each delivery of a request. The time tells apart streams of the same name."""
    request = message.metadata
    return f"{request.stream}-{request.sequence.stream}-{request.timestamp.timestamp()}"


async def create_streams(jetstream, ack_wait):
    """Creates the streams and the consumer. If they exist, it checks that they have these settings."""
    queue = {"retention": RetentionPolicy.WORK_QUEUE}
    await jetstream.add_stream(name=REQUEST_STREAM, subjects=[REQUESTS], **queue)
    # The server must remember an id for longer than a request can be delivered again.
    await jetstream.add_stream(name=ANSWER_STREAM, subjects=[SEALED, REJECTED], **queue,
                               duplicate_window=2 * ack_wait * MAX_DELIVER)
    await jetstream.add_consumer(REQUEST_STREAM, durable_name=CONSUMER, ack_wait=ack_wait, max_deliver=MAX_DELIVER,
                                 max_ack_pending=MAX_ACK_PENDING)


class FilterFailed(Exception):
    pass


class Filter:
    """A running filter: one line out for each line in, in order."""

    def __init__(self, process):
        self._process = process

    @classmethod
    async def start(cls, command):
        # Ctrl-C must reach the worker only, so that the filter still answers what it has.
        process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, limit=MAX_ANSWER,
                                                       stdout=asyncio.subprocess.PIPE, start_new_session=True)
        running = cls(process)
        # An empty line is rejected. So a wrong option shows before any request is delivered.
        await running.answers([b""])
        return running

    def write(self, line):
        """Writes a line. In JSON, a line break between tokens can be a carriage return as well."""
        self._process.stdin.write(line.replace(b"\n", b"\r") + b"\n")

    async def answers(self, lines):
        """Returns the answers to lines."""
        for line in lines:
            self.write(line)
        answers = [await self._process.stdout.readline() for _ in lines]
        if not all(answer.endswith(b"\n") for answer in answers):
            raise FilterFailed(f"The filter ended with {await self._process.wait()}.")
        return answers

    async def stop(self):
        self._process.stdin.close()
        if await self._process.wait() not in (0, 65):
            raise FilterFailed(f"The filter ended with {self._process.returncode}.")


def hint(request, answer):
    """Tells the operator about a request that its publisher didn't complete."""
    if answer["error"]["code"] == "malformed-json":
        print(f"worker: hint: request {request.metadata.sequence.stream} isn't a whole line; publish one JSON object in "
              "each message", file=sys.stderr, flush=True)


async def deliver(jetstream, request, answer):
    """Publishes the answer to a request, and then acknowledges the request."""
    members = json.loads(answer, parse_int=str)
    subject = SEALED if "headers" in members else REJECTED
    if subject == REJECTED:
        hint(request, members)
    await jetstream.publish(subject, answer.rstrip(b"\n"), headers={"Nats-Msg-Id": message_id(request)})
    await request.ack()


async def work(jetstream, running, stopped):
    """Seals batches of requests until the worker is stopped."""
    requests = await jetstream.pull_subscribe_bind(CONSUMER, REQUEST_STREAM)
    while not stopped.is_set():
        try:
            batch = await requests.fetch(BATCH, timeout=1)
        except asyncio.TimeoutError:  # not always the one of nats
            continue
        answers = await running.answers([request.data for request in batch])
        await asyncio.gather(*(deliver(jetstream, *pair) for pair in zip(batch, answers)))


async def serve(description, what, start, work):
    """Reads the command line, starts the filter, connects, and works until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="nats://localhost:4222")
    parser.add_argument("--ack-wait", type=int, default=30, metavar="SECONDS", help=f"until another worker gets a {what}")
    parser.add_argument("filter", nargs="+", help="the command of the filter, after --")
    options = parser.parse_args()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    running = await start(options.filter)
    connection = await nats.connect(options.server)
    await work(connection.jetstream(timeout=TIMEOUT), running, stopped, options.ack_wait)
    await connection.flush()
    await connection.close()


def run(name, main):
    """Runs a worker, and ends the process with its error."""
    try:
        asyncio.run(main())
    except (FilterFailed, nats.errors.Error, OSError) as error:
        sys.exit(f"{name}: error: {str(error) or type(error).__name__}")


async def seal(jetstream, running, stopped, ack_wait):
    await create_streams(jetstream, ack_wait)
    await work(jetstream, running, stopped)
    await running.stop()


async def main():
    await serve(__doc__, "request", Filter.start, seal)


if __name__ == "__main__":
    run("worker", main)
