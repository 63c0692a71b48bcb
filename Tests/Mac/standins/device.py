"""The simulated device of the stand-ins: an app, its key, and its extension, which is the real tool."""

import json
import os
import subprocess

import standin


def installed(identifier):
    app = standin.read("device.json", {}).get("app")
    standin.need(app and app["identifier"] == identifier, f"{identifier} isn't installed")
    return app


def register(app):
    """Does what the example app does at its first launch: creates a key, registers, and logs the command."""
    keyring = os.path.join(standin.STATE, "device.jwks")
    made = subprocess.run([standin.tool(), "keygen", "--new", "--keyring", keyring], check=True, capture_output=True,
                          text=True)
    registration = '{"created":1767225600,"generation":1,"key":%s,"lifetime":604800}' % made.stdout.strip()
    values = {"registration.registration": registration, "registration.deviceToken": app["token"]}
    for text in app["texts"]:
        for name, value in values.items():
            text = text.replace(f"\\({name})", value)
        standin.log("App", app["identifier"], text)


def deliver(app, path, by_apns):
    """Checks a push. Only one of APNs reaches the extension."""
    with open(path, encoding="utf-8") as file:
        push = json.load(file)
    standin.need(os.path.getsize(path) <= 4096, "the push is too long")
    standin.need(set(push) == {"aps", "ENCRYPTED_DATA"}, "the push isn't sealed")
    standin.need(push["aps"].get("mutable-content") == 1 and push["aps"]["alert"]["body"] == "(Encrypted)",
                 "the push runs no extension")
    keyring = os.path.join(standin.STATE, "device.jwks")
    opened = subprocess.run([standin.tool(), "open", "--keyring", keyring, "--signed-by", app["server"], path],
                            capture_output=True, text=True, check=False)
    standin.need(json.loads(opened.stdout or "{}") == {"aps": {"alert": "It works."}}, f"doesn't open: {opened.stderr}")
    ran = "ran" in os.environ.get("STANDIN_FAIL", "").split(",")
    if by_apns or ran:
        standin.log("NotificationService", "com.apple.xpc", "activating")
    if by_apns and "open" in os.environ.get("STANDIN_FAIL", "").split(","):
        standin.log("NotificationService", "PushCrypt", "The key isn't there. [unknown-key]")
