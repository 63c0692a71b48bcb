"""Checks of the plug-in's errors: each says what is wrong, then gives one instruction, and nothing is written."""

from app import URL


def check_errors(app):
    text = app.settings.read_text()
    for change, expected in [
        (lambda: app.configure(options={}), 'Give "url" and "version"'),
        (lambda: app.configure(options={"url": URL}), 'Give "url" and "version"'),
        (lambda: app.configure(ios={"bundleIdentifier": "com.example.other"}), "Use the same in both."),
        (lambda: app.configure(ios={"infoPlist": {"PushCryptCarrier": "firebase"}}),
         "ios.infoPlist.PushCryptCarrier differs"),
        (lambda: app.settings.write_text("{}"), "isn't valid. Write it again"),
        (lambda: app.settings.write_text(text[:40]), "isn't valid. Write it again"),
        (lambda: app.settings.unlink(), "can't be read. Run 'pushcrypt xcode write --expo'"),
    ]:
        app.configure()
        app.settings.write_text(text)
        change()
        run = app.prebuild()
        assert run.returncode == 65 and expected in run.stderr, (expected, run.stderr)


ALL = [check_errors]
