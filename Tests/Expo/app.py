"""An Expo app that the plug-in changes."""

import json
import os
import pathlib
import shutil
import subprocess

import projectfile

HERE = pathlib.Path(__file__).resolve().parent
URL = "https://git.example.com/team/pushcrypt.git"
PACKAGE = {"url": URL, "version": "0.1.0"}
LOCAL = {"path": "../../pushcrypt"}
SERVICE = "NotificationService"
GROUPS = "com.apple.security.application-groups"


class App:
    """An app in a directory, beside a local package."""

    def __init__(self, root, plugin):
        self.root, self.plugin = pathlib.Path(root), plugin
        self.settings = self.root / "pushcrypt.json"
        self.ios = self.root / "ios"
        self.project = self.ios / "Mail.xcodeproj/project.pbxproj"

    @classmethod
    def create(cls, directory, plugin):
        app = cls(pathlib.Path(directory) / "app", plugin)
        app.root.mkdir()
        for fixture in ("pushcrypt.json", "project.pbxproj"):
            shutil.copy(HERE / "fixtures" / fixture, app.root)
        package = app.root.parent / "pushcrypt"
        package.mkdir()
        (package / "Package.swift").write_text("")
        app.configure()
        return app

    def configure(self, options=None, plugins=(), ios=None, **expo):
        """Writes app.json."""
        plugin = ["./plugins/with-pushcrypt", PACKAGE if options is None else options]
        ios = {"bundleIdentifier": "com.example.app", **(ios or {})}
        expo = {"name": "Mail", "ios": ios, "plugins": [plugin, *([each, {}] for each in plugins)], **expo}
        (self.root / "app.json").write_text(json.dumps({"expo": expo}))

    def change(self, change):
        """Changes pushcrypt.json by a function, and returns the new contents."""
        settings = json.loads(self.settings.read_text())
        change(settings)
        self.settings.write_text(json.dumps(settings))
        return settings

    def create_project(self, change):
        """Creates a project that differs from the fixture by a function."""
        shutil.rmtree(self.ios, ignore_errors=True)
        (self.root / "project.pbxproj").write_text(change((HERE / "fixtures/project.pbxproj").read_text()))

    def prebuild(self, *arguments, team=None):
        environment = {key: value for key, value in os.environ.items() if key != "EXPO_APPLE_TEAM_ID"}
        environment["NODE_PATH"] = str(HERE / "stand-in")
        if team is not None:
            environment["EXPO_APPLE_TEAM_ID"] = team
        return subprocess.run(["node", HERE / "prebuild.js", self.plugin, self.root, *arguments], env=environment,
                              capture_output=True, text=True, check=False)

    def result(self, team=None):
        """Runs the plug-in, checks the project, and returns the results."""
        run = self.prebuild(team=team)
        assert run.returncode == 0, run.stderr
        projectfile.check(self.project, self.ios)
        return json.loads(run.stdout)

    def objects(self):
        return projectfile.read(self.project)[0]

    def target(self, name=SERVICE):
        targets = (node for node in self.objects().values() if node["isa"] == "PBXNativeTarget")
        return next(node for node in targets if node["name"] == name)

    def build_settings(self, name=SERVICE):
        """Returns the build settings of a target by configuration."""
        objects = self.objects()
        configurations = objects[self.target(name)["buildConfigurationList"]]["buildConfigurations"]
        return {objects[each]["name"]: objects[each]["buildSettings"] for each in configurations}

    def versions(self):
        return {(each["MARKETING_VERSION"], each["CURRENT_PROJECT_VERSION"]) for each in self.build_settings().values()}

    def check_is_one_run(self, result):
        """Checks that a directory without an earlier run has the same result and files."""
        other = App(self.root.parent / "fresh", self.plugin)
        shutil.copytree(self.root, other.root, ignore=shutil.ignore_patterns("ios"))
        expected = other.result()
        assert result == expected, f"{result} instead of {expected}"
        assert self.objects() == other.objects(), "the project differs from one run's"
        assert self.contents() == other.contents(), "the files differ from one run's"
        shutil.rmtree(other.root)

    def contents(self):
        """Returns the files in ios/ by path, without the project."""
        files = (path for path in self.ios.rglob("*") if path.is_file() and path != self.project)
        return {str(path.relative_to(self.ios)): json_or_text(path) for path in files}


def json_or_text(path):
    return json.loads(path.read_text()) if path.suffix == ".json" else path.read_text()
