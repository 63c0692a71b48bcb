"""Checks of a first run. Each gets a new app."""

import json

import projectfile
from app import GROUPS, PACKAGE, SERVICE, URL

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
    app.configure(ios={"infoPlist": {**own, "UIBackgroundModes": "audio"}, "entitlements": {
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
    for expected, ios, config in [
        (("2.3.0", "7"), {}, {}),
        (("3.1.0", "42"), {"buildNumber": "42"}, {"version": "3.1.0"}),
        (("3.2.0", "7"), {"version": "3.2.0"}, {"version": "3.1.0"}),
        (("4.0", "43"), {"buildNumber": "42", "infoPlist": {
            "CFBundleVersion": "43", "CFBundleShortVersionString": "4.0"}}, {"version": "3.1.0"}),
        (("2.3.0", "7"), {"buildNumber": "42", "infoPlist": {
            "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)", "CFBundleShortVersionString": "$(MARKETING_VERSION)"}},
         {"version": "3.1.0"}),
        (("2.3.0", "7"), {}, {}),
    ]:
        app.configure(ios=ios, **config)
        app.result()
        assert app.versions() == {expected}, (expected, app.versions())


def check_deployment_target(app):
    def targets():
        return [each["IPHONEOS_DEPLOYMENT_TARGET"] for each in app.build_settings().values()]

    for options, expected in [({}, "15.4"), ({"deploymentTarget": "16.0"}, "16.0"), ({}, "15.4")]:
        app.configure({**PACKAGE, **options})
        result = app.result()
        assert targets() == [expected, expected], targets()
        app.check_is_one_run(result)


def check_team(app):
    def teams():
        return {each.get("DEVELOPMENT_TEAM") for each in app.build_settings().values()}

    for variable, own, expected in [(None, "ABCDE12345", "ABCDE12345"), ("VWXYZ67890", None, "VWXYZ67890"),
                                    ("ABCDE12345", "ABCDE12345", "ABCDE12345"), ("", None, None)]:
        app.configure(ios={"appleTeamId": own} if own else {})
        app.result(team=variable)
        assert teams() == {expected}, teams()
    app.configure(ios={"appleTeamId": "ABCDE12345"})
    run = app.prebuild(team="VWXYZ67890")
    assert run.returncode == 65 and "EXPO_APPLE_TEAM_ID is VWXYZ67890, but ios.appleTeamId is ABCDE12345" in run.stderr
    text = app.project.read_text()
    app.project.write_text(text.replace("PRODUCT_NAME = Mail;", "PRODUCT_NAME = Mail; DEVELOPMENT_TEAM = FGHIJ12345;"))
    app.configure()
    app.result()
    assert teams() == {"FGHIJ12345"}, "the extension has another team than the app's target"


AGGREGATE = """/* Begin PBXAggregateTarget section */
        B00000000000000000000001 /* Tools */ = {
            isa = PBXAggregateTarget; name = Tools; buildPhases = ( ); dependencies = ( );
        };
/* End PBXAggregateTarget section */
"""


def check_other_targets(app):
    """A target of another kind before the app, one with the extension's name, and a project without an app."""
    first = "/* Begin PBXBuildFile section"
    app.create_project(lambda text: text.replace(first, AGGREGATE + first)
                       .replace("targets = (", "targets = (B00000000000000000000001 /* Tools */,"))
    app.result()
    objects = app.objects()
    root = next(node for node in objects.values() if node["isa"] == "PBXProject")
    assert [objects[each]["name"] for each in root["targets"]] == ["Tools", "Mail", SERVICE]
    own = root["targets"][2]
    app.project.write_text(app.project.read_text().replace(own, "B00000000000000000000002"))
    run = app.prebuild()
    assert run.returncode == 65 and f"has another target {SERVICE}. Remove it" in run.stderr, run.stderr
    app.create_project(lambda text: text.replace("product-type.application", "product-type.framework"))
    run = app.prebuild()
    assert run.returncode == 65 and "has no app. Run 'npx expo prebuild --clean'." in run.stderr, run.stderr


def check_introspection(app):
    """`expo config --type introspect` has no project, and writes nothing."""
    run = app.prebuild("introspect")
    assert run.returncode == 0, run.stderr
    settings = json.loads(app.settings.read_text())
    assert json.loads(run.stdout)["infoPlist"] == settings["app"]["infoPlist"]
    assert not app.ios.exists()


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
