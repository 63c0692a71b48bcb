"""Reads an Xcode project file, and checks that it is complete: IDs, references, and the locations of files."""

import pathlib
import re

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*"|[{}()=;,]|[A-Za-z0-9_.$/:+-]+)', re.S)
ESCAPE = re.compile(r'\\(.)', re.S)
ID = re.compile(r"[0-9A-F]{24}")

# The kinds of objects that a member names, as patterns.
KINDS = {
    "buildConfigurationList": "XCConfigurationList", "buildConfigurations": "XCBuildConfiguration",
    "buildPhases": ".*BuildPhase", "children": "PBXFileReference|PBXGroup", "containerPortal": "PBXProject",
    "dependencies": "PBXTargetDependency", "fileRef": "PBXFileReference", "files": "PBXBuildFile",
    "mainGroup": "PBXGroup", "package": "XC(Remote|Local)SwiftPackageReference",
    "packageProductDependencies": "XCSwiftPackageProductDependency",
    "packageReferences": "XC(Remote|Local)SwiftPackageReference", "productRef": "XCSwiftPackageProductDependency",
    "productRefGroup": "PBXGroup", "productReference": "PBXFileReference", "remoteGlobalIDString": "PBXNativeTarget",
    "target": "PBXNativeTarget", "targetProxy": "PBXContainerItemProxy", "targets": "PBX.*Target",
}
# An object has one owner by each of these members.
OWNED = ("buildConfigurationList", "buildConfigurations", "buildPhases", "children", "dependencies", "files",
         "packageProductDependencies", "packageReferences", "productReference", "targetProxy", "targets")


class ProjectError(Exception):
    """What is wrong with a project file."""


def require(condition, problem):
    if not condition:
        raise ProjectError(problem)


class Reader:
    """A reader of old-style property lists that refuses a key that occurs twice."""

    def __init__(self, text):
        self.tokens, position = [], 0
        while position < len(text):
            match = TOKEN.match(text, position)
            require(match, f"a character isn't allowed: {text[position:position + 20]!r}")
            if match[1]:
                self.tokens.append(match[1])
            position = match.end()
        self.tokens.reverse()

    def expect(self, token):
        found = self.tokens.pop()
        require(found == token, f"{found} instead of {token}")

    def value(self):
        token = self.tokens.pop()
        if token == "{":
            return self.dictionary()
        if token == "(":
            return self.array()
        require(token not in "})=;,", f"{token} instead of a value")
        return ESCAPE.sub(r"\1", token[1:-1]) if token.startswith('"') else token

    def array(self):
        values = []
        while self.tokens[-1] != ")":
            values.append(self.value())
            self.expect(",")
        self.expect(")")
        return values

    def dictionary(self):
        members = {}
        while self.tokens[-1] != "}":
            key = self.value()
            self.expect("=")
            require(key not in members, f"{key} occurs twice")
            members[key] = self.value()
            self.expect(";")
        self.expect("}")
        return members


def read(path):
    """Returns the project's objects by ID, and the ID of the project."""
    reader = Reader(pathlib.Path(path).read_text(encoding="utf-8"))
    tree = reader.value()
    require(not reader.tokens, "text follows the project")
    return tree["objects"], tree["rootObject"]


def strings(node):
    for each in node.values() if isinstance(node, dict) else node:
        if isinstance(each, str):
            yield each
        else:
            yield from strings(each)


def check(path, ios):
    """Checks the file. The directory has the project's files."""
    objects, root = read(path)
    check_references(objects, root)
    check_owners(objects)
    check_files(objects, objects[root], pathlib.Path(ios))
    return objects


def check_references(objects, root):
    require(objects[root]["isa"] == "PBXProject", "the root object isn't a project")
    for name, node in objects.items():
        for member, kind in KINDS.items():
            for reference in [node[member]] if isinstance(node.get(member), str) else node.get(member, []):
                require(reference in objects, f"{member} of {name} names {reference}, which is missing")
                found = objects[reference]["isa"]
                require(re.fullmatch(kind, found), f"{member} of {name} names {reference}, a {found}")
        for text in strings(node):
            require(not ID.fullmatch(text) or text in objects, f"{name} names {text}, which is missing")
    reached, waiting = set(), [root]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [text for text in strings(objects[name]) if text in objects]
    require(reached == set(objects), f"the project doesn't use {sorted(set(objects) - reached)}")


def check_owners(objects):
    for member in OWNED:
        names = []
        for node in objects.values():
            value = node.get(member, [])
            names += [value] if isinstance(value, str) else value
        twice = {name for name in names if names.count(name) > 1}
        require(not twice, f"{member} of two objects name {sorted(twice)}")
    targets = [node["name"] for node in objects.values() if node["isa"] == "PBXNativeTarget"]
    require(len(targets) == len(set(targets)), f"two targets have one name: {targets}")


def check_files(objects, project, ios):
    grouped = set()

    def visit(name, directory):
        node = objects[name]
        grouped.add(name)
        if node["sourceTree"] == "BUILT_PRODUCTS_DIR":
            products = objects[project["productRefGroup"]]["children"]
            require(name in products, f"{node['path']} isn't in the group of products")
            return
        require(node["sourceTree"] == "<group>", f"{name} has the source tree {node['sourceTree']}")
        location = directory / node.get("path", "")
        if node["isa"] == "PBXGroup":
            for child in node["children"]:
                visit(child, location)
        else:
            require(location.is_file(), f"{location.relative_to(ios)} is missing")

    visit(project["mainGroup"], ios)
    files = {name for name, node in objects.items() if node["isa"] in ("PBXFileReference", "PBXGroup")}
    require(files == grouped, f"no group has {sorted(files - grouped)}")
    for node in objects.values():
        for setting in ("INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"):
            file = node.get("buildSettings", {}).get(setting)
            require(file is None or (ios / file).is_file(), f"{setting} names {file}, which is missing")
