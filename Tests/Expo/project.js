// The Xcode project of a new Expo app, as the npm package `xcode` represents it: sections of objects by ID, each with a
// comment under ID_comment.
"use strict";

const object = (isa, comment, members) => ({ isa, comment, members });
const reference = (value, comment) => ({ value, comment });

const FILES = {
    A00000000000000000000001: object("PBXFileReference", "Mail.app", {
        explicitFileType: "wrapper.application", includeInIndex: 0, path: "Mail.app", sourceTree: "BUILT_PRODUCTS_DIR",
    }),
    A00000000000000000000002: object("PBXFileReference", "AppDelegate.swift", {
        lastKnownFileType: "sourcecode.swift", path: "Mail/AppDelegate.swift", sourceTree: '"<group>"',
    }),
    A00000000000000000000003: object("PBXBuildFile", "AppDelegate.swift in Sources", {
        fileRef: "A00000000000000000000002", fileRef_comment: "AppDelegate.swift",
    }),
    A00000000000000000000004: object("PBXGroup", "Products", {
        children: [reference("A00000000000000000000001", "Mail.app")], name: "Products", sourceTree: '"<group>"',
    }),
    A00000000000000000000005: object("PBXGroup", "Mail", {
        children: [
            reference("A00000000000000000000002", "AppDelegate.swift"),
            reference("A00000000000000000000004", "Products"),
        ],
        sourceTree: '"<group>"',
    }),
};

const PHASES = {
    A00000000000000000000006: object("PBXSourcesBuildPhase", "Sources", {
        buildActionMask: 2147483647, files: [reference("A00000000000000000000003", "AppDelegate.swift in Sources")],
        runOnlyForDeploymentPostprocessing: 0,
    }),
    A00000000000000000000007: object("PBXFrameworksBuildPhase", "Frameworks", {
        buildActionMask: 2147483647, files: [], runOnlyForDeploymentPostprocessing: 0,
    }),
    A00000000000000000000008: object("PBXResourcesBuildPhase", "Resources", {
        buildActionMask: 2147483647, files: [], runOnlyForDeploymentPostprocessing: 0,
    }),
};

const settings = (isDebug) => ({
    CODE_SIGN_ENTITLEMENTS: "Mail/Mail.entitlements", CURRENT_PROJECT_VERSION: 7, INFOPLIST_FILE: "Mail/Info.plist",
    IPHONEOS_DEPLOYMENT_TARGET: 15.1, MARKETING_VERSION: '"2.3.0"', PRODUCT_BUNDLE_IDENTIFIER: "com.example.app",
    PRODUCT_NAME: "Mail", SWIFT_VERSION: "5.0", TARGETED_DEVICE_FAMILY: '"1,2"',
    ...(isDebug ? { ENABLE_BITCODE: "NO" } : {}),
});

const CONFIGURATIONS = {};
for (const [number, name, level] of [["09", "Debug", "app"], ["10", "Release", "app"], ["11", "Debug", "project"],
    ["12", "Release", "project"]]) {
    CONFIGURATIONS[`A000000000000000000000${number}`] = object("XCBuildConfiguration", name, {
        buildSettings: level === "app" ? settings(name === "Debug") : { SDKROOT: "iphoneos" }, name,
    });
}

const list = (debug, release) => ({
    buildConfigurations: [reference(debug, "Debug"), reference(release, "Release")], defaultConfigurationIsVisible: 0,
    defaultConfigurationName: "Release",
});

const TARGETS = {
    A00000000000000000000013: object("XCConfigurationList", 'Build configuration list for "Mail"',
        list("A00000000000000000000009", "A00000000000000000000010")),
    A00000000000000000000014: object("XCConfigurationList", 'Build configuration list for "Project"',
        list("A00000000000000000000011", "A00000000000000000000012")),
    A00000000000000000000015: object("PBXNativeTarget", "Mail", {
        buildConfigurationList: "A00000000000000000000013",
        buildConfigurationList_comment: 'Build configuration list for "Mail"',
        buildPhases: Object.entries(PHASES).map(([id, { comment }]) => reference(id, comment)), buildRules: [],
        dependencies: [], name: "Mail", productName: "Mail", productReference: "A00000000000000000000001",
        productReference_comment: "Mail.app", productType: '"com.apple.product-type.application"',
    }),
    A00000000000000000000016: object("PBXProject", "Project object", {
        attributes: { LastUpgradeCheck: 1600 }, buildConfigurationList: "A00000000000000000000014",
        buildConfigurationList_comment: 'Build configuration list for "Project"', compatibilityVersion: '"Xcode 3.2"',
        developmentRegion: "en", hasScannedForEncodings: 0, knownRegions: ["en", "Base"],
        mainGroup: "A00000000000000000000005", mainGroup_comment: "Mail",
        productRefGroup: "A00000000000000000000004", productRefGroup_comment: "Products", projectDirPath: '""',
        projectRoot: '""', targets: [reference("A00000000000000000000015", "Mail")],
    }),
};

exports.create = () => {
    const objects = {};
    const all = structuredClone({ ...FILES, ...PHASES, ...CONFIGURATIONS, ...TARGETS });
    for (const [id, { isa, comment, members }] of Object.entries(all)) {
        (objects[isa] ??= {})[id] = { isa, ...members };
        objects[isa][`${id}_comment`] = comment;
    }
    return {
        hash: { project: { archiveVersion: 1, classes: {}, objectVersion: 54, objects, rootObject: "A00000000000000000000016" } },
    };
};

// Writes the old-style property list that Xcode reads, as the package does: values are written as they are.
exports.text = ({ hash }) => `// !$*UTF8*$!\n${value(hash.project, 0)}\n`;

function value(node, depth) {
    const indentation = "\t".repeat(depth + 1);
    if (Array.isArray(node)) {
        return `(\n${node.map((each) => `${indentation}${value(each, depth + 1)},\n`).join("")}${"\t".repeat(depth)})`;
    }
    if (node === null || typeof node !== "object") return node === "" ? '""' : String(node);
    if ("value" in node) return `${node.value} /* ${node.comment} */`;
    const members = Object.entries(depth === 1 ? sections(node) : node).filter(([key]) => !key.endsWith("_comment"));
    const lines = members.map(([key, each]) => `${indentation}${key} = ${value(each, depth + 1)};\n`);
    return `{\n${lines.join("")}${"\t".repeat(depth)}}`;
}

// The objects of all sections, if the node has them.
function sections(node) {
    const isSections = Object.keys(node).some((key) => key.startsWith("PBX"));
    return isSections ? Object.assign({}, ...Object.values(node)) : node;
}
