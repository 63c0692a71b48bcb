"""Counts the instructions of 'pushcrypt send --lines' for one push, with nghttpd as the server."""

import contextlib
import json
import pathlib
import socket
import subprocess
import tempfile
import time

from .counting import callgrind
from .machine import run

TOKEN = "0a" * 32
# Many pushes without those of a few: the connection's start doesn't count. One connection has one thread at work.
LINES = (200, 1200)


def certificates(directory):
    """Creates a server's certificate for localhost, and a key for provider tokens."""
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "server.key", "-out", "server.pem", cwd=directory)
    run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.p8", cwd=directory)
    (directory / "key.p8").chmod(0o600)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@contextlib.contextmanager
def server(directory):
    """Runs nghttpd, which answers each push with 200, and gives its port."""
    device = directory / "www/3/device"
    device.mkdir(parents=True)
    (device / TOKEN).write_text("")
    port = free_port()
    process = subprocess.Popen(["nghttpd", "-d", directory / "www", "-n", "1", "-m", "1000", port, directory / "server.key",
                                directory / "server.pem"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while socket.socket().connect_ex(("127.0.0.1", int(port))) != 0:
            if process.poll() is not None:
                raise SystemExit("nghttpd has ended. Run it by hand.")
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def sealed_line(tool, directory, payload):
    """Returns a line as 'seal --lines' writes it."""
    key = json.loads(run(tool, "keygen", "--new", "--keyring", directory / "sending.jwks"))["x"]
    line = json.dumps({"to": key, "token": TOKEN, "payload": payload}, ensure_ascii=False) + "\n"
    return run(tool, "seal", "--lines", "--anonymous", "--padding", "none", "--topic", "com.example.app", input=line)


def count(tool, payload):
    """Returns the instructions of the client for one push."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        certificates(directory)
        line = sealed_line(tool, directory, payload)
        # Valgrind 3.19 can't read the debugging information of BoringSSL.
        program = directory / "pushcrypt"
        run("strip", "-g", "-o", program, tool)
        totals = []
        with server(directory) as port:
            for number in LINES:
                output, counts = callgrind(
                    directory, program, "send", "--lines", "--p8", directory / "key.p8", "--key-id", "KEY1234567", "--team-id",
                    "TEAM123456", "--host", "localhost", "--port", port, "--ca", directory / "server.pem", "--token-file",
                    directory / "token", "--connections", "1", text=line * number)
                accepted = sum(json.loads(answer).get("status") == 200 for answer in output.splitlines())
                if accepted != number:
                    raise SystemExit(f"{accepted} of {number} pushes are accepted: {output[-500:]}")
                totals.append(sum(counts))
        return (totals[1] - totals[0]) / (LINES[1] - LINES[0])
