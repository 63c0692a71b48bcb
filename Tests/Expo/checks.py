"""Checks of a first run. Each gets a new app."""

import json
import shutil

import projectfile
from app import GROUPS, LOCAL, PACKAGE, SERVICE, URL

FILES = {f"{SERVICE}.swift", "Info.plist", f"{SERVICE}.entitlements"}


def check_project(app):
    app.configure()
    app.result()
    objects = app.objects()
    service, main = app.target(), app.target("Mail")
    assert service["productType"] == "com.apple.product-type.app-extension"

    def phases(target):
        return {objects[each]["isa"]: objects[each] for each in target["buildPhases"]}

    assert set(phases(service)) == {"PBXSourcesBuildPhase", "PBXFrameworksBuildPhase", "PBXResourcesBuildPhase"}
    compiled = [objects[objects[each]["fileRef"]]["path"] for each in phases(service)["PBXSourcesBuildPhase"]["files"]]
    assert compiled == [f"{SERVICE}.swift"], compiled
    for target in (service, main):
        linked = [objects[each]["productRef"] for each in phases(target)["PBXFrameworksBuildPhase"]["files"]]
        assert linked == target["packageProductDependencies"] and len(linked) == 1, linked
        assert objects[linked[0]]["productName"] == "PushCryptApple"
        package = objects[objects[linked[0]]["package"]]
        assert package["repositoryURL"] == URL and package["requirement"]["minimumVersion"] == "0.1.0"
    root = next(node for node in objects.values() if node["isa"] == "PBXProject")
    assert [objects[each] for each in root["packageReferences"]] == [package]
    assert [objects[each]["name"] for each in root["targets"]] == ["Mail", SERVICE]
    embedded = phases(main)["PBXCopyFilesBuildPhase"]
    assert embedded["dstSubfolderSpec"] == "13" and embedded["name"] == "Embed Foundation Extensions"
    assert [objects[each]["fileRef"] for each in embedded["files"]] == [service["productReference"]]
    assert [objects[objects[each]["target"]] for each in main["dependencies"]] == [service]
    children = [objects[each]["path"] for each in group(objects)["children"]]
    assert set(children) == FILES and len(children) == 3, children


def group(objects):
    return next(node for node in objects.values() if node["isa"] == "PBXGroup" and node.get("path") == SERVICE)


def check_settings(app):
    name = "defaultConfigurationName ="
    app.create_project(lambda text: text.replace(f"{name} Release", f"{name} Debug"))
    app.result()
    lists = [node for node in app.objects().values() if node["isa"] == "XCConfigurationList"]
    assert {node["defaultConfigurationName"] for node in lists} == {"Debug"} and len(lists) == 3
    assert list(app.build_settings()) == ["Debug", "Release"]
    for settings in app.build_settings().values():
        assert settings["PRODUCT_BUNDLE_IDENTIFIER"] == f"com.example.app.{SERVICE}"
        assert settings["INFOPLIST_FILE"] == f"{SERVICE}/Info.plist"
        assert settings["CODE_SIGN_ENTITLEMENTS"] == f"{SERVICE}/{SERVICE}.entitlements"
        assert settings["SKIP_INSTALL"] == "YES" and settings["TARGETED_DEVICE_FAMILY"] == "1,2"
        assert "DEVELOPMENT_TEAM" not in settings


def check_files(app):
    app.result()
    settings = json.loads(app.settings.read_text())
    for name in FILES:
        assert (app.ios / SERVICE / name).read_text() == settings["files"][f"{SERVICE}/{name}"]


def check_config(app):
    result = app.result()
    settings = json.loads(app.settings.read_text())
    versions = {"CFBundleVersion": "1", "CFBundleShortVersionString": "1.0"}
    assert result["infoPlist"] == {**settings["app"]["infoPlist"], **versions}
    assert result["entitlements"] == settings["app"]["entitlements"]
    assert result["eas"] == [{
        "targetName": SERVICE, "bundleIdentifier": f"com.example.app.{SERVICE}",
        "entitlements": settings["extension"]["entitlements"]}]


def check_merging(app):
    own = {"CFBundleName": "Mail", "PushCryptAudience": "production"}
    app.configure(ios={"infoPlist": {**own, "UIBackgroundModes": ["audio"]}, "entitlements": {
        "aps-environment": "production", GROUPS: ["group.other"]}})
    for _ in range(2):
        result = app.result()
        assert result["infoPlist"].items() >= own.items() and "PushCryptAppGroup" in result["infoPlist"]
        assert result["infoPlist"]["UIBackgroundModes"] == ["audio", "remote-notification"]
        assert result["entitlements"]["aps-environment"] == "production"
        assert result["entitlements"][GROUPS] == ["group.other", "group.com.example.app"]
    extensions = [{"targetName": "Widget"}, {"targetName": SERVICE, "bundleIdentifier": "old"}]
    app.configure(extra={"eas": {"build": {"experimental": {"ios": {"appExtensions": extensions}}}}})
    assert [each["targetName"] for each in app.result()["eas"]] == ["Widget", SERVICE]


def check_versions(app):
    """App Store Connect requires the app's versions."""
    app.result()
    assert app.versions() == {("2.3.0", "7")}, app.versions()


def check_team(app):
    app.configure(ios={"appleTeamId": "ABCDE12345"})
    app.result()
    assert {each["DEVELOPMENT_TEAM"] for each in app.build_settings().values()} == {"ABCDE12345"}


def check_package(app):
    app.configure(LOCAL)
    app.result()
    packages = [node for node in app.objects().values() if node["isa"].endswith("SwiftPackageReference")]
    assert [node["relativePath"] for node in packages] == ["../../pushcrypt"]


def check_second_run(app):
    for options in (PACKAGE, LOCAL):
        shutil.rmtree(app.ios, ignore_errors=True)
        app.configure(options)
        result = app.result()
        text, contents = app.project.read_bytes(), app.contents()
        assert app.result() == result and app.contents() == contents, "the second run changes files"
        assert app.project.read_bytes() == text, "the second run changes the project"


def check_own_check(app):
    """The check of the project finds faults."""
    app.result()
    text = app.project.read_text()
    reference = app.target()["productReference"]
    source = next(name for name, node in app.objects().items() if node.get("path") == f"{SERVICE}.swift")
    project = next(name for name, node in app.objects().items() if node["isa"] == "PBXProject")
    for old, new, problem in [
        (f"\t{reference} /*", f"\t{source} /*", "occurs twice"),
        (f"fileRef = {source}", "fileRef = C00000000000000000000001", "which is missing"),
        (f"productReference = {reference}", f"productReference = {project}", "a PBXProject"),
        (f"path = {SERVICE}.swift", "path = Other.swift", "Other.swift is missing"),
        (f"path = {SERVICE};", "path = Elsewhere;", "is missing"),
        (f"{SERVICE}/Info.plist", "Info.plist", "INFOPLIST_FILE names Info.plist"),
        ("/* Begin PBXGroup section */", "/* */ C00000000000000000000002 = { isa = PBXGroup; };", "doesn't use"),
        ("files = (\n\t\t\t);", "files = (;\n\t\t\t);", "instead of a value"),
        (f"\t{source} /* {SERVICE}.swift */,", f"\t{source}, {source},", "children of two objects"),
        (f"\t{reference} /* {SERVICE}.appex */,", "", "no group has"),
        ("sourceTree = BUILT_PRODUCTS_DIR", 'sourceTree = "<group>"', "Mail.app is missing"),
        (f"path = {SERVICE}.swift;\n\t\t\tsourceTree = \"<group>\"",
         f"path = {SERVICE}.swift;\n\t\t\tsourceTree = BUILT_PRODUCTS_DIR", "isn't in the group of products"),
        ("name = Mail;\n\t\t\tproductName", f"name = {SERVICE};\n\t\t\tproductName", "two targets have one name"),
        ("rootObject = A00000000000000000000016", "rootObject = A00000000000000000000015", "isn't a project"),
    ]:
        assert old in text, old
        app.project.write_text(text.replace(old, new))
        try:
            projectfile.check(app.project, app.ios)
        except projectfile.ProjectError as error:
            assert problem in str(error), (problem, error)
        else:
            raise AssertionError(f"the check accepts: {new}")


ALL = [value for name, value in globals().items() if name.startswith("check_")]
