"""`pushcrypt testserver` as a process that can be killed and started again."""

import collections
import json
import pathlib
import socket
import subprocess
import time

# A hang ends the test. No other time matters.
TIMEOUT = 1200


class Difference(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Difference(message)


def wait(condition, problem):
    end = time.monotonic() + TIMEOUT
    while not condition():
        expect(time.monotonic() < end, problem)
        time.sleep(0.01)


class Server:
    """A server, whose processes have one port and one log."""

    def __init__(self, program, work):
        self.program, self.work, self.log = program, pathlib.Path(work), pathlib.Path(work) / "accepted.ndjson"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self):
        before = self.log.stat().st_size if self.log.exists() else 0
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "testserver", "--end-with-input", self.work, "--port", str(self.port)],
                stdin=subprocess.PIPE, stdout=log, stderr=subprocess.DEVNULL)
        wait(lambda: b"\n" in self.log.read_bytes()[before:], "the server doesn't start")
        self.facts = json.loads(self.log.read_bytes()[before:].split(b"\n")[0])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def accepted(self):
        """Yields the accepted pushes, each with the number in the device token."""
        with open(self.log) as log:
            for push in map(json.loads, log):
                if "device" in push:
                    yield int(push["device"], 16), push

    def pushes(self):
        """Returns the apns-ids of accepted pushes by the number of the device."""
        ids = collections.defaultdict(list)
        for number, push in self.accepted():
            ids[number].append(push["apns-id"].lower())
        return ids

    def payloads(self):
        """Returns the accepted payloads by the number of the device."""
        payloads = collections.defaultdict(set)
        for number, push in self.accepted():
            payloads[number].add(json.dumps(push["payload"], sort_keys=True))
        return payloads
