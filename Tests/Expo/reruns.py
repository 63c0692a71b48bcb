"""Checks of second runs: each has the result of one run. Each check gets a new app."""

import json
import re
import shutil

from app import GROUPS, LOCAL, PACKAGE, SERVICE

KEY = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"


def check_second_run(app):
    for options in (PACKAGE, LOCAL):
        shutil.rmtree(app.ios, ignore_errors=True)
        app.configure(options)
        result = app.result()
        text, contents = app.project.read_bytes(), app.contents()
        assert app.result() == result and app.contents() == contents, "the second run changes files"
        assert app.project.read_bytes() == text, "the second run changes the project"
        app.check_is_one_run(result)


def check_changed_key(app):
    app.result()

    def change(settings):
        settings["app"]["infoPlist"]["PushCryptServerKey"] = KEY
        name = f"{SERVICE}/Info.plist"
        settings["files"][name] = settings["files"][name].replace(
            settings["extension"]["infoPlist"]["PushCryptServerKey"], KEY)

    app.change(change)
    result = app.result()
    assert result["infoPlist"]["PushCryptServerKey"] == KEY
    assert KEY in (app.ios / SERVICE / "Info.plist").read_text()
    app.check_is_one_run(result)


def check_removed_settings(app):
    """Values of an earlier pushcrypt.json don't stay. Those of app.json do."""
    app.result()

    def change(settings):
        del settings["app"]["infoPlist"]["PushCryptCarrier"]
        del settings["app"]["infoPlist"]["UIBackgroundModes"]
        settings["app"]["infoPlist"]["PushCryptAppGroup"] = "group.new"
        for target in ("app", "extension"):
            settings[target]["entitlements"][GROUPS] = ["group.new"]

    app.change(change)
    result = app.result()
    assert result["entitlements"][GROUPS] == ["group.new"], result
    assert "PushCryptCarrier" not in result["infoPlist"] and "UIBackgroundModes" not in result["infoPlist"], result
    app.check_is_one_run(result)
    app.configure(ios={"entitlements": {GROUPS: ["group.new", "group.own"]}})
    app.result()
    app.change(lambda settings: settings["app"]["entitlements"].update({GROUPS: ["group.newest"]}))
    result = app.result()
    assert result["entitlements"][GROUPS] == ["group.new", "group.own", "group.newest"], result
    app.check_is_one_run(result)


BACKGROUND = """
const { withInfoPlist } = require("@expo/config-plugins");
module.exports = (config) => withInfoPlist(config, (app) => {
    const modes = (app.modResults.UIBackgroundModes ??= []);
    for (const mode of ["remote-notification", "fetch"]) if (!modes.includes(mode)) modes.push(mode);
    return app;
});
"""


def check_other_plugin(app):
    """A value that another plug-in adds, too, stays."""
    (app.root / "background.js").write_text(BACKGROUND)
    app.configure(plugins=["./background.js"])
    original = app.settings.read_text()
    for order in (1, -1):
        config = json.loads((app.root / "app.json").read_text())
        config["expo"]["plugins"] = config["expo"]["plugins"][::order]
        (app.root / "app.json").write_text(json.dumps(config))
        app.settings.write_text(original)
        shutil.rmtree(app.ios, ignore_errors=True)
        first, second = app.result(), app.result()
        assert first == second, second
        app.change(lambda settings: settings["app"]["infoPlist"].pop("UIBackgroundModes"))
        modes = app.result()["infoPlist"].get("UIBackgroundModes", [])
        assert set(modes) == {"remote-notification", "fetch"}, modes


def check_package(app):
    def packages():
        return [node for node in app.objects().values() if node["isa"].endswith("SwiftPackageReference")]

    for options, isa in [(PACKAGE, "XCRemoteSwiftPackageReference"), (LOCAL, "XCLocalSwiftPackageReference"),
                         (PACKAGE, "XCRemoteSwiftPackageReference")]:
        app.configure(options)
        result = app.result()
        assert [node["isa"] for node in packages()] == [isa], packages()
        app.check_is_one_run(result)
    app.configure({"url": "git@git.example.com:team/other.git", "version": "0.2.0-beta.1"})
    result = app.result()
    package, = packages()
    assert package["repositoryURL"] == "git@git.example.com:team/other.git"
    assert package["requirement"]["minimumVersion"] == "0.2.0-beta.1"
    app.check_is_one_run(result)
    app.configure(LOCAL)
    app.result()
    assert [node["relativePath"] for node in packages()] == ["../../pushcrypt"]


def check_configurations(app):
    """The extension has the configurations of the app after a change, too."""
    app.result()
    text = app.project.read_text()
    app.project.write_text(text.replace("name = Release;", "name = Staging;").replace("/* Release */", "/* Staging */"))
    app.result()
    assert list(app.build_settings()) == ["Debug", "Staging"], app.build_settings().keys()


def check_bare_target(app):
    """An app without a phase for frameworks, and with its versions in the project's configurations."""
    frameworks, shared = "A00000000000000000000007", "MARKETING_VERSION = 5.0; CURRENT_PROJECT_VERSION = 9;"

    def change(text):
        text = re.sub(rf"\t+{frameworks} /\* Frameworks \*/( = {{.*?\n\t\t}};|,)\n", "", text, flags=re.S)
        assert frameworks not in text
        text = text.replace("MARKETING_VERSION = 2.3.0;", "").replace("CURRENT_PROJECT_VERSION = 7;", "")
        return text.replace("SDKROOT = iphoneos;", f"SDKROOT = iphoneos; {shared}")

    app.create_project(change)
    app.result()
    text = app.project.read_text()
    assert app.versions() == {("5.0", "9")}, app.versions()
    app.result()
    assert app.project.read_text() == text, "the second run changes the project"
    app.create_project(lambda text: change(text).replace(shared, ""))
    app.result()
    assert app.versions() == {("1.0", "1")}, app.versions()


ALL = [value for name, value in globals().items() if name.startswith("check_")]
