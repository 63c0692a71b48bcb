"""The sender of Docs/Scale/nats with a fault.

    sender.py KILL-AFTER [option...] -- FILTER...

After KILL-AFTER acknowledgements, the process is killed when APNs has answered the next push, and nobody knows.
"""

import asyncio
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Docs" / "Scale" / "nats"))
# This directory has files of the same names.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).resolve().parent]
import sender  # noqa: E402
from nats.aio.msg import Msg  # noqa: E402

kill_after = int(sys.argv[1])
sys.argv[1:2] = []
acknowledge = Msg.ack
acknowledged = 0


async def acknowledge_or_die(self):
    global acknowledged
    if acknowledged == kill_after:
        # The earlier ones must have reached the server.
        await self._client.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    acknowledged += 1
    await acknowledge(self)


Msg.ack = acknowledge_or_die
asyncio.run(sender.main())
