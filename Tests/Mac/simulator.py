"""The steps in a simulator of their own, which the run creates and deletes."""

import json
import os
import re
import time

from report import Failed, Skipped

SERVICE = "NotificationService"
# What the example app logs: see AppServer.swift.
COMMAND = re.compile(r"echo '\{[^']*\}' \| pushcrypt seal --to '\{[^']*\}' --sign-with \S+ > sealed\.json")
TOKEN = re.compile(r"The device token is ([0-9a-f]+)\.")


class Simulator:
    def __init__(self, session, identifier, wait, account):
        self.session, self.identifier, self.wait, self.account = session, identifier, wait, account
        self.device = None
        self.token = None

    def simctl(self, *arguments, **options):
        return self.session.call("xcrun", "simctl", *arguments, **options)

    def start(self, app):
        """Creates a simulator of the newest iOS, and starts the app in it."""
        listed = json.loads(self.simctl("list", "devices", "available", "--json"))["devices"]
        found = [(version(runtime), runtime, device["deviceTypeIdentifier"])
                 for runtime, devices in listed.items() if ".iOS-" in runtime
                 for device in devices if "iPhone" in device["name"]]
        if not found:
            raise Skipped("Xcode has no simulator of an iPhone: add one in its settings, Components")
        _, runtime, kind = max(found)
        self.device = self.simctl("create", "PushCrypt", kind, runtime).strip()
        self.simctl("bootstatus", self.device, "-b")
        self.simctl("install", self.device, app)
        self.simctl("launch", self.device, self.identifier)
        return f"{kind.rsplit('.', 1)[1]}, {runtime.rsplit('.', 1)[1]}"

    def lines(self, predicate):
        shown = self.simctl("spawn", self.device, "log", "show", "--last", "10m", "--style", "compact", "--predicate",
                            predicate)
        return [line for line in shown.split("\n") if re.search(r"\[\d+:[0-9a-f]+\]", line)]

    def poll(self, seconds, read):
        """What a function returns, as soon as it isn't empty; otherwise what it returns at last."""
        end = time.monotonic() + seconds
        while True:
            found = read()
            if found or time.monotonic() >= end:
                return found
            time.sleep(2)

    def logged(self, predicate, pattern):
        """The first match in the log; `None` if there's none after the time to wait."""
        return self.poll(self.wait, lambda: next(filter(None, map(pattern.search, self.lines(predicate))), None))

    def service_lines(self):
        return self.lines(f'process == "{SERVICE}"')

    def register(self, project, tools):
        """Runs the command that the app logs after its registration."""
        own = f'subsystem == "{self.identifier}"'
        found = self.logged(own, COMMAND)
        if not found:
            raise Failed("the app logged no command; its log: " + ("; ".join(self.lines(own)[-3:]) or "empty"))
        token = self.logged(own, TOKEN)
        if not token:
            raise Failed("the app logged no device token")
        self.token = token[1]
        path = self.session.environment["PATH"]
        self.session.environment["PATH"] = tools + os.pathsep + path
        try:
            self.session.call("/bin/sh", "-euc", found[0], cwd=project)
        finally:
            self.session.environment["PATH"] = path
        return "the command of the app's log sealed a push"

    def push(self, payload):
        """Pushes with simctl. Apple documents that this doesn't run the extension, so only the call is judged."""
        self.simctl("push", self.device, self.identifier, payload)
        ran = self.poll(min(self.wait, 10), self.service_lines)
        return "accepted; the extension " + ("ran, unlike documented" if ran else "didn't run, as Apple documents")

    def send(self, payload, tool):
        """Pushes by the sandbox of APNs, which runs the extension."""
        missing = [name for name in ("P8", "KEY_ID", "TEAM", "ID") if not self.account.get(name)]
        if missing:
            raise Skipped(f"needs an account: {', '.join(missing)}")
        if os.isatty(0):
            self.session.call("open", "-a", "Simulator")
            input("         Allow notifications in the simulator, and press Return. ")
        before = len(self.service_lines())
        earlier = len(self.failures())
        self.session.call(tool, "send", "--sandbox", "--p8", self.account["P8"], "--key-id", self.account["KEY_ID"],
                          "--team-id", self.account["TEAM"], "--topic", self.identifier, "--device", self.token,
                          payload)
        if not self.poll(self.wait, lambda: self.service_lines()[before:]):
            raise Failed("APNs accepted the push, but the extension didn't run")
        failures = self.failures()[earlier:]
        if failures:
            raise Failed("the extension ran, and failed: " + failures[-1])
        picture = os.path.join(self.session.output, "push.png")
        self.simctl("io", self.device, "screenshot", picture)
        return "the extension ran without a failure; push.png shows the screen"

    def failures(self):
        return self.lines('subsystem == "PushCrypt"')

    def memory(self):
        """The footprint of the extension's process, which is a process of this Mac."""
        lines = self.service_lines()
        if not lines:
            raise Skipped("the extension hasn't run")
        process = re.search(rf"\b{SERVICE}\[(\d+):", lines[-1])[1]
        try:
            shown = self.session.call("footprint", process)
        except Failed as error:
            raise Skipped(f"the process has ended, or can't be read: {error}") from None
        match = re.search(r"Footprint: ([\d.]+ [KMG]B)", shown)
        if not match:
            raise Failed("footprint prints no footprint")
        return f"{match[1]} in the simulator; a device differs"

    def remove(self):
        if self.device:
            for action in ("shutdown", "delete"):
                try:
                    self.simctl(action, self.device)
                except Failed:
                    pass


def version(runtime):
    return [int(part) for part in re.findall(r"\d+", runtime.rsplit(".iOS-", 1)[1])]
