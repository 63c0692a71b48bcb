#!/usr/bin/env python3
"""Sends the sealed lines of a NATS JetStream stream to APNs.

    sender.py --server nats://localhost:4222 -- pushcrypt send --lines --unordered --p8 AuthKey.p8 --key-id … --team-id …

A worker acknowledges a line after APNs has answered its push. If it is killed, another worker sends the lines without an
acknowledgement again, with the same apns-id. While APNs can't be reached, the filter waits, and the worker keeps its
lines. SIGTERM and SIGINT stop it after the answers that it waits for.
"""

import asyncio
import contextlib
import json
import sys

from nats.js.api import ConsumerConfig

import worker
from worker import ANSWER_STREAM, SEALED, FilterFailed

REFUSALS, REFUSAL_STREAM, CONSUMER = "push.refused", "PUSH_REFUSALS", "senders"
WINDOW = 500  # lines of a worker without an answer
RETRY = 60  # seconds before a push is sent again, if APNs doesn't say it
GRACE = 10  # seconds for the last answers


async def create_streams(jetstream, ack_wait):
    """Creates the stream of refusals and the consumer. If they exist, it checks that they have these settings."""
    await worker.create_streams(jetstream, ack_wait)
    await jetstream.add_stream(name=REFUSAL_STREAM, subjects=[REFUSALS])
    # An outage must not use up the deliveries of a line, so their number has no limit.
    await jetstream.add_consumer(ANSWER_STREAM, ConsumerConfig(
        durable_name=CONSUMER, filter_subject=SEALED, ack_wait=ack_wait, max_ack_pending=20 * WINDOW))


class Filter(worker.Filter):
    """A running filter, whose answers come in any order."""

    async def drain(self):
        # The end of the answers tells about a filter that has ended.
        with contextlib.suppress(ConnectionError):
            await self._process.stdin.drain()

    async def lines(self):
        async for line in self._process.stdout:
            if line.endswith(b"\n"):
                yield line.rstrip(b"\n")

    async def close(self):
        """Waits for the last answers, but not for the end of an outage."""
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), GRACE)
        except asyncio.TimeoutError:
            self._process.terminate()

    async def wait(self):
        return await self._process.wait()


class Sender:
    """Lines on their way through a running filter."""

    def __init__(self, jetstream, running, ack_wait):
        self._jetstream, self._filter, self._ack_wait = jetstream, running, ack_wait
        self._open = {}  # messages without an answer, by the numbers of their lines, as text
        self._number = 1  # the filter has got an empty line
        self._room = asyncio.Event()

    async def run(self, stopped):
        """Sends until the worker is stopped, or the filter or the server fails."""
        feeding, keeping, collecting = tasks = [
            asyncio.create_task(part) for part in (self._feed(stopped), self._keep(), self._collect())]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        if feeding in done:
            await self._filter.close()
            await collecting
        feeding.cancel()
        keeping.cancel()
        status = await self._filter.wait()
        if self._open or feeding not in done:
            raise FilterFailed(f"The filter ended with {status}. {len(self._open)} lines have no answer.")

    async def _feed(self, stopped):
        """Writes lines to the filter while it has room for them."""
        lines = await self._jetstream.pull_subscribe_bind(CONSUMER, ANSWER_STREAM)
        while not stopped.is_set():
            room = WINDOW - len(self._open)
            if room < WINDOW // 4:
                self._room.clear()
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._room.wait(), 1)
                continue
            with contextlib.suppress(asyncio.TimeoutError):
                for message in await lines.fetch(room, timeout=1):
                    self._number += 1
                    self._open[str(self._number)] = message
                    self._filter.write(message.data)
                await self._filter.drain()

    async def _keep(self):
        """Tells the server regularly that the lines are still being sent."""
        while True:
            await asyncio.sleep(self._ack_wait / 4)
            for message in list(self._open.values()):
                await message.in_progress()

    async def _collect(self):
        """Acknowledges lines until the filter ends."""
        async for line in self._filter.lines():
            answer = json.loads(line, parse_int=str)  # a long number of a caller isn't an error
            message = self._open.pop(answer.get("line"), None)
            if message is None:
                raise FilterFailed("An answer has no line. Add --unordered to the filter.")
            self._room.set()
            await self._end(message, answer, line)

    async def _end(self, message, answer, line):
        error = answer.get("error")
        if error is None:
            await message.ack()
        elif "payload" in answer:  # not sent
            print(f"sender: warning: [{error['code']}] {error['reason']}", file=sys.stderr, flush=True)
            await message.nak(delay=int(error.get("retry-after", RETRY)))
        else:
            await self._jetstream.publish(REFUSALS, line, headers={"Nats-Msg-Id": worker.message_id(message)})
            await message.ack()


async def send(jetstream, running, stopped, ack_wait):
    await create_streams(jetstream, ack_wait)
    await Sender(jetstream, running, ack_wait).run(stopped)


async def main():
    await worker.serve(__doc__, "line", Filter.start, send)


if __name__ == "__main__":
    worker.run("sender", main)
