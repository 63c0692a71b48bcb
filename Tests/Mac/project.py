"""Writes the Xcode project of the example: an app, its notification service extension, and the package in this clone.

It is the project that Docs/Xcode.md builds by hand. Values are text, as Xcode writes them.
"""

import hashlib
import os
import re
import shutil

SHARED = {
    "GENERATE_INFOPLIST_FILE": "YES", "IPHONEOS_DEPLOYMENT_TARGET": "15.0", "CURRENT_PROJECT_VERSION": "1",
    "MARKETING_VERSION": "1.0", "SDKROOT": "iphoneos", "SWIFT_VERSION": "5.0", "TARGETED_DEVICE_FAMILY": "1,2",
    "SWIFT_DEFAULT_ACTOR_ISOLATION": "MainActor", "SWIFT_APPROACHABLE_CONCURRENCY": "YES",
    "PRODUCT_NAME": "$(TARGET_NAME)", "CODE_SIGN_STYLE": "Automatic",
}
APP = {
    "INFOPLIST_FILE": "App-Info.plist", "CODE_SIGN_ENTITLEMENTS": "App/App.entitlements",
    "INFOPLIST_KEY_UIApplicationSceneManifest_Generation": "YES", "INFOPLIST_KEY_UILaunchScreen_Generation": "YES",
    "LD_RUNPATH_SEARCH_PATHS": "$(inherited) @executable_path/Frameworks",
}
SERVICE = {
    "INFOPLIST_FILE": "NotificationService/Info.plist", "SKIP_INSTALL": "YES",
    "CODE_SIGN_ENTITLEMENTS": "NotificationService/NotificationService.entitlements",
    "INFOPLIST_KEY_CFBundleDisplayName": "NotificationService",
    "LD_RUNPATH_SEARCH_PATHS": "$(inherited) @executable_path/Frameworks @executable_path/../../Frameworks",
}
KINDS = {"App": ("application", "app"), "NotificationService": ("app-extension", "appex")}
TYPES = {
    "swift": "sourcecode.swift", "plist": "text.plist.xml", "entitlements": "text.plist.entitlements",
    "xcstrings": "text.json.xcstrings",
}


def quoted(value, depth):
    """A value in the text format of property lists, with one member on each line."""
    indent, inner = "\t" * depth, "\t" * (depth + 1)
    if isinstance(value, dict):
        lines = [f"{inner}{quoted(key, 0)} = {quoted(each, depth + 1)};\n" for key, each in value.items()]
        return "{\n" + "".join(lines) + indent + "}"
    if isinstance(value, list):
        return "(\n" + "".join(f"{inner}{quoted(each, depth + 1)},\n" for each in value) + indent + ")"
    text = str(value)
    if re.fullmatch(r"[A-Za-z0-9_./]+", text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Project:
    """The objects of a project by their IDs."""

    def __init__(self, directory, identifier, team, package):
        self.directory = directory
        self.settings = dict(SHARED, DEVELOPMENT_TEAM=team) if team else SHARED
        self.objects = {}
        self.sources = {"App": [], "NotificationService": []}
        self.resources = []
        self.package = self.add("XCLocalSwiftPackageReference", "package", relativePath=package)
        group = self.group()
        app, service = self.targets(identifier)
        products = self.add("PBXGroup", "Products", name="Products", sourceTree="<group>",
                            children=[self.objects[each]["productReference"] for each in (app, service)])
        self.objects[group]["children"].append(products)
        self.root = self.add(
            "PBXProject", "project", attributes={"BuildIndependentTargetsInParallel": "1", "LastUpgradeCheck": "2600"},
            buildConfigurationList=self.configurations("project", self.settings), compatibilityVersion="Xcode 15.0",
            developmentRegion="en", knownRegions=["en", "de", "Base"], mainGroup=group, productRefGroup=products,
            projectDirPath="", projectRoot="", packageReferences=[self.package], targets=[app, service])

    def add(self, isa, own, /, **members):
        """Adds an object, whose ID comes from its type and its own name."""
        found = self.identifier(f"{isa}/{own}")
        self.objects[found] = {"isa": isa, **members}
        return found

    def configurations(self, name, settings):
        """A list of two configurations with the same settings, but for the optimization."""
        different = {"Debug": {"SWIFT_OPTIMIZATION_LEVEL": "-Onone"}, "Release": {"SWIFT_OPTIMIZATION_LEVEL": "-O"}}
        found = [self.add("XCBuildConfiguration", f"{name}/{each}", name=each, buildSettings={**settings, **more})
                 for each, more in different.items()]
        return self.add("XCConfigurationList", name, buildConfigurations=found, defaultConfigurationIsVisible="0",
                        defaultConfigurationName="Release")

    def group(self):
        groups = []
        for name, sources in self.sources.items():
            files = []
            for file in sorted(os.listdir(os.path.join(self.directory, name))):
                reference = self.file(file, f"{name}/{file}")
                files.append(reference)
                if file.endswith(".swift"):
                    sources.append(self.add("PBXBuildFile", f"{name}/{file}", fileRef=reference))
                elif file.endswith(".xcstrings"):
                    self.resources.append(self.add("PBXBuildFile", f"{name}/{file}", fileRef=reference))
            groups.append(self.add("PBXGroup", name, children=files, path=name, sourceTree="<group>"))
        groups.append(self.file("App-Info.plist", "App-Info.plist"))
        return self.add("PBXGroup", "main", children=groups, sourceTree="<group>")

    def file(self, path, name):
        return self.add("PBXFileReference", name, lastKnownFileType=TYPES[path.rsplit(".", 1)[1]], path=path,
                        sourceTree="<group>")

    def targets(self, identifier):
        settings = {**SERVICE, "PRODUCT_BUNDLE_IDENTIFIER": f"{identifier}.NotificationService"}
        service = self.target("NotificationService", settings, [], [])
        product = self.objects[service]["productReference"]
        embedded = self.add("PBXBuildFile", "embed", fileRef=product,
                            settings={"ATTRIBUTES": ["RemoveHeadersOnCopy"]})
        embed = self.add("PBXCopyFilesBuildPhase", "embed", buildActionMask="2147483647", dstPath="",
                         dstSubfolderSpec="13", files=[embedded], name="Embed Foundation Extensions",
                         runOnlyForDeploymentPostprocessing="0")
        proxy = self.add("PBXContainerItemProxy", "service", containerPortal=self.identifier("PBXProject/project"),
                         proxyType="1", remoteGlobalIDString=service, remoteInfo="NotificationService")
        dependency = self.add("PBXTargetDependency", "service", target=service, targetProxy=proxy)
        app = self.target("App", {**APP, "PRODUCT_BUNDLE_IDENTIFIER": identifier}, [embed], [dependency])
        return app, service

    @staticmethod
    def identifier(name):
        return hashlib.sha256(name.encode()).hexdigest()[:24].upper()

    def target(self, name, settings, phases, dependencies):
        kind, suffix = KINDS[name]
        product = self.add("XCSwiftPackageProductDependency", name, package=self.package, productName="PushCryptApple")
        linked = self.add("PBXBuildFile", f"product/{name}", productRef=product)
        files = {"PBXSourcesBuildPhase": self.sources[name], "PBXFrameworksBuildPhase": [linked],
                 "PBXResourcesBuildPhase": self.resources if name == "App" else []}
        own = [self.add(isa, name, buildActionMask="2147483647", files=each, runOnlyForDeploymentPostprocessing="0")
               for isa, each in files.items()]
        reference = self.add("PBXFileReference", f"product/{name}", explicitFileType=f"wrapper.{kind}",
                             includeInIndex="0", path=f"{name}.{suffix}", sourceTree="BUILT_PRODUCTS_DIR")
        return self.add(
            "PBXNativeTarget", name, buildConfigurationList=self.configurations(name, settings),
            buildPhases=own + phases, buildRules=[], dependencies=dependencies, name=name,
            packageProductDependencies=[product], productName=name, productReference=reference,
            productType=f"com.apple.product-type.{kind}")

    def text(self):
        whole = {"archiveVersion": "1", "classes": {}, "objectVersion": "60", "objects": self.objects,
                 "rootObject": self.root}
        return "// !$*UTF8*$!\n" + quoted(whole, 0) + "\n"


def replaced(text, old, new):
    """Replaces text that must be there once."""
    if text.count(old) != 1:
        raise ValueError(f"{old} is in the file {text.count(old)} times, not once")
    return text.replace(old, new)


def write(root, directory, identifier, team):
    """Completes what `pushcrypt xcode write` wrote to a directory: the app's sources, the catalog and the project."""
    app = os.path.join(directory, "App")
    examples = os.path.join(root, "Docs", "Examples", "App")
    for name in sorted(os.listdir(examples)):
        if name.endswith(".swift"):
            shutil.copy(os.path.join(examples, name), app)
    shutil.copy(os.path.join(root, "Tests", "Mac", "AppApp.swift"), app)
    delegate = os.path.join(app, "AppDelegate.swift")
    with open(delegate, encoding="utf-8") as file:
        text = file.read()
    with open(delegate, "w", encoding="utf-8") as file:
        file.write(replaced(text, "AppServer { .live }", "AppServer { .logging }"))
    with open(os.path.join(root, "Docs", "Xcode.md"), encoding="utf-8") as file:
        catalogs = re.findall(r'^```json\n(\{\n *"sourceLanguage".*?\n\}\n)```$', file.read(), re.S | re.M)
    if len(catalogs) != 1:
        raise ValueError(f"Docs/Xcode.md has {len(catalogs)} string catalogs, not one")
    with open(os.path.join(app, "Localizable.xcstrings"), "w", encoding="utf-8") as file:
        file.write(catalogs[0])
    # Links in the path would make a relative path wrong.
    package = os.path.relpath(os.path.realpath(root), os.path.realpath(directory))
    bundle = os.path.join(directory, "App.xcodeproj")
    os.makedirs(bundle)
    with open(os.path.join(bundle, "project.pbxproj"), "w", encoding="utf-8") as file:
        file.write(Project(directory, identifier, team, package).text())
