"""Chromium without a window, driven by its DevTools protocol over a pipe. Nothing that a page asks for leaves the machine."""

import json
import os
import select
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# Long enough for any machine: it only ends a run in which the browser hangs.
PATIENCE = 300
FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions",
    # A second lock beside the interception of requests.
    "--host-resolver-rules=MAP * ~NOTFOUND", "--force-color-profile=srgb", "--font-render-hinting=none",
)


def executable():
    """The path of Chromium or Chrome; nothing if it isn't installed."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A process with one page."""

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="pushcrypt-pages-")
        command_end, self.commands = os.pipe()
        self.answers, answer_end = os.pipe()

        def inherit():
            # Both are copied first, because either may be 3 or 4.
            first, second = os.dup(command_end), os.dup(answer_end)
            os.dup2(first, 3)
            os.dup2(second, 4)

        flags = [*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        self.process = subprocess.Popen(
            [executable(), *flags, f"--user-data-dir={self.profile}", "about:blank"], preexec_fn=inherit, pass_fds=(3, 4),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_end)
        os.close(answer_end)
        self.number, self.rest, self.session, self.listener = 0, b"", None, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.commands)
            os.close(self.answers)
            shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self.commands, data):]
        return self.number

    def call(self, method, **parameters):
        """Sends a command, and returns its result. Events that come first go to the listener."""
        number = self.send(method, **parameters)
        while True:
            message = self.receive()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def receive(self):
        """The next message. An event goes to the listener, too."""
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], PATIENCE)[0]:
                raise RuntimeError("Chromium doesn't answer.")
            data = os.read(self.answers, 1 << 20)
            if not data:
                raise RuntimeError("Chromium has ended.")
            self.rest += data
        message, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(message)
        if "method" in message and self.listener:
            self.listener(message["method"], message.get("params", {}))
        return message


class Page:
    """What a page displays and does. The logs begin again with each page that is opened."""

    def __init__(self, browser):
        self.browser = browser
        browser.listener = self.listen
        self.address, self.scripts, self.requests, self.messages, self.loaded = None, [], [], [], False
        for domain in "Page", "Network", "Runtime", "Log", "Debugger":
            browser.call(f"{domain}.enable")
        browser.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        self.frame = browser.call("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def listen(self, method, event):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method in ("Debugger.scriptParsed", "Debugger.scriptFailedToParse"):
            # The checks run in a world of their own, which isn't the page's.
            if event.get("executionContextAuxData", {}).get("isDefault"):
                self.scripts.append(event["url"] or "a script in the page")
        elif method == "Page.javascriptDialogOpening":
            self.scripts.append(f"a dialog: {event['message']}")
            self.browser.send("Page.handleJavaScriptDialog", accept=True)
        elif method == "Network.requestWillBeSent":
            self.log_request(event["request"]["url"])
        elif method in ("Network.webSocketCreated", "Network.webTransportCreated"):
            self.log_request(event["url"])
        elif method == "Fetch.requestPaused":
            self.answer(event)
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(str([each.get("value") for each in event["args"]]))
        elif method == "Runtime.exceptionThrown":
            self.messages.append(event["exceptionDetails"]["text"])
        elif method == "Log.entryAdded":
            self.messages.append(event["entry"]["text"])

    def log_request(self, address):
        if address != self.address:
            self.requests.append(address)

    def answer(self, event):
        """Lets the page itself pass. All else fails, and is logged."""
        self.log_request(event["request"]["url"])
        if event["request"]["url"] == self.address:
            self.browser.send("Fetch.continueRequest", requestId=event["requestId"])
        else:
            self.browser.send("Fetch.failRequest", requestId=event["requestId"], errorReason="BlockedByClient")

    def open(self, path):
        """Opens a file, and returns when it's loaded and drawn."""
        # The page before must not write into the new logs.
        self.address = "about:blank"
        self.browser.call("Page.navigate", url=self.address)
        self.address = path.resolve().as_uri()
        self.scripts, self.requests, self.messages, self.loaded = [], [], [], False
        answer = self.browser.call("Page.navigate", url=self.address)
        if "errorText" in answer:
            raise RuntimeError(f"{path}: {answer['errorText']}")
        while not self.loaded:
            self.browser.receive()
        self.world = self.browser.call("Page.createIsolatedWorld", frameId=self.frame)["executionContextId"]
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20))))")

    def evaluate(self, expression):
        answer = self.browser.call(
            "Runtime.evaluate", expression=expression, contextId=self.world, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def resize(self, width, height=900, scale=1):
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                          mobile=False)

    def prefer(self, scheme):
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self):
        """A screenshot in base64."""
        return self.browser.call("Page.captureScreenshot", format="png", optimizeForSpeed=False)["data"]
