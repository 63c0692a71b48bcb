"""The worker of Docs/Scale/nats with a fault.

    worker.py KILL-AFTER FAULTS [option...] -- FILTER...

KILL-AFTER is a number of acknowledgements: the next batch is published, and then the process is killed without having
acknowledged any of it. 0 kills nothing. FAULTS are "no-id", for a publication without Nats-Msg-Id, and "no-setup", for
streams that keep the settings that they have.
"""

import asyncio
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Docs" / "Scale" / "nats"))
# This file has the same name.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).resolve().parent]
import worker  # noqa: E402
from nats.aio.msg import Msg  # noqa: E402
from nats.js.client import JetStreamContext  # noqa: E402

kill_after, faults = int(sys.argv[1]), sys.argv[2].split(",")
sys.argv[1:3] = []
acknowledge, publish = Msg.ack, JetStreamContext.publish
acknowledged, published, delivered = 0, 0, 0
fetch = JetStreamContext.PullSubscription.fetch


async def fetch_counted(self, *arguments, **options):
    global delivered
    batch = await fetch(self, *arguments, **options)
    delivered += len(batch)
    return batch


async def publish_counted(self, *arguments, headers=None, **options):
    global published
    result = await publish(self, *arguments, headers=None if "no-id" in faults else headers, **options)
    published += 1
    return result


async def acknowledge_or_die(self):
    global acknowledged
    acknowledged += 1
    if kill_after and acknowledged > kill_after:
        # A batch that was partly acknowledged before is complete when all that was delivered is published.
        while published < delivered:
            await asyncio.sleep(0.01)
        print(f"killed with {delivered - kill_after} published and not acknowledged", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    await acknowledge(self)


async def keep_streams(jetstream, ack_wait):
    pass


JetStreamContext.PullSubscription.fetch = fetch_counted
JetStreamContext.publish = publish_counted
Msg.ack = acknowledge_or_die
if "no-setup" in faults:
    worker.create_streams = keep_streams
asyncio.run(worker.main())
