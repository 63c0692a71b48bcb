"""Checks of the plug-in's errors: each says what is wrong, then gives one instruction, and nothing is written."""

import json

from app import LOCAL, PACKAGE, URL

AGAIN = "Write it again with 'pushcrypt xcode write --expo --force'."
GIVE = ' Give "url" and "version", or "path" alone.'
MISSING = object()


def check_option_errors(app):
    for options, expected in [
        ({}, "The plug-in's package is missing." + GIVE),
        ({"url": URL}, 'The plug-in\'s package is defined by "url".' + GIVE),
        ({"version": "0.1.0"}, 'The plug-in\'s package is defined by "version".' + GIVE),
        ({**PACKAGE, **LOCAL}, 'The plug-in\'s package is defined by "url" and "version" and "path".' + GIVE),
        ({"version": "0.1.0", **LOCAL}, 'The plug-in\'s package is defined by "version" and "path".' + GIVE),
        ({**PACKAGE, "deploymenttarget": "16.0"}, 'The plug-in\'s option "deploymenttarget" is unknown. Remove it.'),
        *(({**PACKAGE, "version": value}, f'"version" is {json.dumps(value)}, which isn\'t valid. Write it as in "0.')
          for value in ("^0.1.0", "0.1", 0.1, "latest", "", None, "0.1.0;", "v0.1.0")),
        *(({**PACKAGE, "url": value}, f'"url" is {json.dumps(value)}, which isn\'t valid. Write it as in "https:')
          for value in ("pushcrypt", "../pushcrypt", 1, "", "https://git.example.com/a b")),
        *(({"path": value}, f'"path" is {json.dumps(value)}, which isn\'t valid. Write it as in "../../pushcrypt".')
          for value in ("", 1, True, "/Users/me/pushcrypt", "~/pushcrypt", None, ["../../pushcrypt"])),
        *(({**PACKAGE, "deploymentTarget": value},
           f'"deploymentTarget" is {json.dumps(value)}, which isn\'t valid. Write it as in "16.0".')
          for value in ("14.0", 16, 16.4, "iOS 16", "", "16.0.0.0", "9")),
        ({"path": "../pushcrypt"}, "app/pushcrypt doesn't contain Package.swift. Let \"path\" lead to PushCrypt."),
    ]:
        app.configure(options)
        refuse(app, expected)
    change(app, lambda expo: expo["plugins"][0].pop())
    refuse(app, "The plug-in's package is missing." + GIVE)


def check_settings_errors(app):
    def changed(member, value=MISSING):
        settings = json.loads(text)
        *path, last = member
        node = settings
        for each in path:
            node = node[each]
        if value is MISSING:
            del node[last]
        else:
            node[last] = value
        return json.dumps(settings)

    text = app.settings.read_text()
    source = "NotificationService/NotificationService.swift"
    for contents, expected in [
        (None, "pushcrypt.json is missing. Run 'pushcrypt xcode write --expo' in the app's directory."),
        ("", f"pushcrypt.json isn't valid JSON. {AGAIN}"),
        (text[:40], f"pushcrypt.json isn't valid JSON. {AGAIN}"),
        *((each, f'"app.bundleID" in {app.settings} is missing or isn\'t valid. {AGAIN}')
          for each in ("{}", "[]", "null", "1", '"text"', changed(["app"], None), changed(["app", "bundleID"], 1))),
        *((changed(member.split(".")), f'"{member}" in {app.settings} is missing or isn\'t valid. {AGAIN}')
          for member in ("app.infoPlist", "app.entitlements", "extension.name", "extension.bundleID",
                         "extension.entitlements")),
        (changed(["app", "infoPlist"], []), '"app.infoPlist" in'),
        (changed(["extension"], "text"), '"extension.name" in'),
        (changed(["extension", "name"], "../Other"), '"extension.name" in'),
        (changed(["files"]), f'"files.{source}" in'),
        (changed(["files", source]), f'"files.{source}" in'),
        (changed(["files", source], 1), f'"files.{source}" in'),
    ]:
        app.settings.unlink(missing_ok=True)
        if contents is not None:
            app.settings.write_text(contents)
        refuse(app, expected)
    app.settings.unlink()
    app.settings.mkdir()
    refuse(app, "pushcrypt.json can't be read (EISDIR). Run 'pushcrypt xcode write --expo' in the app's directory.")


def check_contradictions(app):
    for ios, expected in [
        ({"bundleIdentifier": "com.example.other"}, "ios.bundleIdentifier is com.example.other, but"),
        ({"bundleIdentifier": None}, "ios.bundleIdentifier is missing, but"),
        ({"infoPlist": {"PushCryptCarrier": "firebase"}},
         "ios.infoPlist.PushCryptCarrier differs from pushcrypt.json. Remove it from app.json."),
    ]:
        app.configure(ios=ios)
        refuse(app, expected)
    change(app, lambda expo: expo.pop("ios"))
    refuse(app, "ios.bundleIdentifier is missing, but")


def change(app, function):
    config = json.loads((app.root / "app.json").read_text())
    function(config["expo"])
    (app.root / "app.json").write_text(json.dumps(config))


def refuse(app, expected):
    run = app.prebuild()
    assert run.returncode == 65 and expected in run.stderr, (expected, run.stderr)
    assert run.stderr.count("\n") == 1, run.stderr
    written = app.project.exists() and "NotificationService" in app.project.read_text()
    assert not written and not (app.ios / "NotificationService").exists(), "an error comes after files are written"


ALL = [value for name, value in globals().items() if name.startswith("check_")]
