// A config plug-in of Expo: adds PushCrypt's notification service extension to the app when Expo generates the project.
//
//     "plugins": [["./plugins/with-pushcrypt", {"url": "https://git.example.com/pushcrypt.git", "version": "0.1.0"}]]
//
// "path" instead of "url" and "version" names a local package, relative to ios/. `pushcrypt xcode write --expo` writes
// this file and pushcrypt.json, which has the settings, the entitlements and the files.
"use strict";

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const { withDangerousMod, withEntitlementsPlist, withInfoPlist, withXcodeProject } = require("@expo/config-plugins");

const PRODUCT = "PushCryptApple";

module.exports = function withPushCrypt(config, options = {}) {
    const root = config._internal?.projectRoot ?? process.cwd();
    const settings = read(path.join(root, "pushcrypt.json"));
    check(config, settings, options);
    config = withInfoPlist(config, (app) => {
        merge(app.modResults, settings.app.infoPlist, "ios.infoPlist");
        return app;
    });
    config = withEntitlementsPlist(config, (app) => {
        merge(app.modResults, settings.app.entitlements, "ios.entitlements");
        return app;
    });
    config = withDangerousMod(config, ["ios", (app) => {
        write(app.modRequest.platformProjectRoot, settings.files);
        return app;
    }]);
    config = withXcodeProject(config, (app) => {
        addExtension(app.modResults, settings.extension, options, app.ios?.appleTeamId);
        return app;
    });
    return withEAS(config, settings.extension);
};

// MARK: Settings

function read(file) {
    let text;
    try {
        text = fs.readFileSync(file, "utf8");
    } catch {
        throw new Error(`${file} can't be read. Run 'pushcrypt xcode write --expo' in the app's directory.`);
    }
    try {
        const settings = JSON.parse(text);
        if (settings.app.infoPlist && settings.extension.entitlements && settings.files) return settings;
    } catch {
        // Reported below.
    }
    throw new Error(`${file} isn't valid. Write it again with 'pushcrypt xcode write --expo --force'.`);
}

function check(config, settings, options) {
    const id = config.ios?.bundleIdentifier;
    if (id !== settings.app.bundleID) {
        throw new Error(
            `ios.bundleIdentifier is ${id}, but pushcrypt.json is for ${settings.app.bundleID}. Use the same in both.`);
    }
    if (!options.path === !(options.url && options.version)) {
        throw new Error("The plug-in's package is missing. Give \"url\" and \"version\", or \"path\", in app.json.");
    }
}

// The app's own values stay. Only arrays, such as the groups, get more elements.
function merge(own, added, place) {
    for (const [key, value] of Object.entries(added)) {
        if (own[key] === undefined) {
            own[key] = value;
        } else if (Array.isArray(own[key]) && Array.isArray(value) && !key.startsWith("PushCrypt")) {
            own[key] = [...new Set([...own[key], ...value])];
        } else if (key !== "aps-environment" && JSON.stringify(own[key]) !== JSON.stringify(value)) {
            throw new Error(`${place}.${key} differs from pushcrypt.json. Remove it from app.json.`);
        }
    }
}

function withEAS(config, extension) {
    const extra = (config.extra ??= {});
    const ios = ((((extra.eas ??= {}).build ??= {}).experimental ??= {}).ios ??= {});
    const others = (ios.appExtensions ?? []).filter((each) => each.targetName !== extension.name);
    const own = {
        targetName: extension.name, bundleIdentifier: extension.bundleID, entitlements: extension.entitlements,
    };
    ios.appExtensions = [...others, own];
    return config;
}

function write(directory, files) {
    // The app's own files come from Expo.
    for (const [name, text] of Object.entries(files)) {
        if (!name.startsWith("NotificationService/")) continue;
        fs.mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
        fs.writeFileSync(path.join(directory, name), text);
    }
}

// MARK: The Xcode project

// The same name has the same ID, so that a second run adds nothing.
function idOf(name) {
    return crypto.createHash("sha256").update(`pushcrypt/${name}`).digest("hex").slice(0, 24).toUpperCase();
}

function quoted(text) {
    return /^[A-Za-z0-9_./]+$/.test(text) ? text : `"${text.replace(/(["\\])/g, "\\$1")}"`;
}

function add(objects, isa, name, comment, members) {
    const id = idOf(name);
    (objects[isa] ??= {})[id] = { isa, ...members };
    objects[isa][`${id}_comment`] = comment;
    return { value: id, comment };
}

function append(object, key, reference) {
    const list = (object[key] ??= []);
    if (!list.some((each) => each.value === reference.value)) list.push(reference);
}

function addExtension(project, extension, options, team) {
    const objects = project.hash.project.objects;
    const main = objects.PBXProject[project.hash.project.rootObject];
    const app = main.targets.map((each) => objects.PBXNativeTarget[each.value])
        .find((target) => /^"?com\.apple\.product-type\.application"?$/.test(target.productType));
    if (!app) throw new Error("The project has no app. Run 'npx expo prebuild --clean'.");
    const product = addPackage(objects, main, app, options);
    const target = addTarget(objects, main, app, extension, product, team);
    embed(objects, main, app, extension, target);
}

// A package reference, and its product for the app; returns the product of the extension.
function addPackage(objects, main, app, options) {
    const isLocal = options.path !== undefined;
    const isa = isLocal ? "XCLocalSwiftPackageReference" : "XCRemoteSwiftPackageReference";
    const members = isLocal
        ? { relativePath: quoted(options.path) }
        : {
            repositoryURL: quoted(options.url),
            requirement: { kind: "upToNextMajorVersion", minimumVersion: quoted(options.version) },
        };
    const reference = add(objects, isa, "package", `${isa} "pushcrypt"`, members);
    append(main, "packageReferences", reference);
    const product = (user) => add(objects, "XCSwiftPackageProductDependency", `product/${user}`, PRODUCT, {
        package: reference.value, package_comment: reference.comment, productName: PRODUCT,
    });
    const own = product("app");
    append(app, "packageProductDependencies", own);
    const file = buildFile(objects, "app/product", `${PRODUCT} in Frameworks`, { productRef: own });
    append(phase(objects, app, "PBXFrameworksBuildPhase", "Frameworks", "app/frameworks"), "files", file);
    return product("extension");
}

function buildFile(objects, name, comment, { fileRef, productRef, settings }) {
    const members = fileRef
        ? { fileRef: fileRef.value, fileRef_comment: fileRef.comment }
        : { productRef: productRef.value, productRef_comment: productRef.comment };
    return add(objects, "PBXBuildFile", name, comment, settings ? { ...members, settings } : members);
}

// A target's build phase, which is created if it's missing.
function phase(objects, target, isa, comment, name) {
    const found = target.buildPhases.find((each) => objects[isa]?.[each.value]);
    if (found) return objects[isa][found.value];
    const members = { buildActionMask: 2147483647, files: [], runOnlyForDeploymentPostprocessing: 0 };
    const reference = add(objects, isa, name, comment, members);
    append(target, "buildPhases", reference);
    return objects[isa][reference.value];
}

function addTarget(objects, main, app, extension, product, team) {
    const { name } = extension;
    const file = (label, type) => add(objects, "PBXFileReference", `file/${label}`, label, {
        lastKnownFileType: type, path: quoted(label), sourceTree: '"<group>"',
    });
    const source = file(`${name}.swift`, "sourcecode.swift");
    const rights = file(`${name}.entitlements`, "text.plist.entitlements");
    const children = [source, file("Info.plist", "text.plist.xml"), rights];
    const group = add(objects, "PBXGroup", "group", name, { children, path: name, sourceTree: '"<group>"' });
    append(objects.PBXGroup[main.mainGroup], "children", group);
    const bundle = add(objects, "PBXFileReference", "bundle", `${name}.appex`, {
        explicitFileType: '"wrapper.app-extension"', includeInIndex: 0, path: `${name}.appex`,
        sourceTree: "BUILT_PRODUCTS_DIR",
    });
    append(objects.PBXGroup[main.productRefGroup], "children", bundle);
    const reference = add(objects, "PBXNativeTarget", "target", name, {
        buildConfigurationList: "", buildConfigurationList_comment: "", buildPhases: [], buildRules: [],
        dependencies: [], name, packageProductDependencies: [product], productName: name, productReference: bundle.value,
        productReference_comment: bundle.comment, productType: '"com.apple.product-type.app-extension"',
    });
    const target = objects.PBXNativeTarget[reference.value];
    const list = configurations(objects, app, extension, team);
    target.buildConfigurationList = list.value;
    target.buildConfigurationList_comment = list.comment;
    const sources = phase(objects, target, "PBXSourcesBuildPhase", "Sources", "sources");
    append(sources, "files", buildFile(objects, "source", `${name}.swift in Sources`, { fileRef: source }));
    const linked = buildFile(objects, "extension/product", `${PRODUCT} in Frameworks`, { productRef: product });
    append(phase(objects, target, "PBXFrameworksBuildPhase", "Frameworks", "frameworks"), "files", linked);
    phase(objects, target, "PBXResourcesBuildPhase", "Resources", "resources");
    append(main, "targets", reference);
    return { reference, bundle };
}

// One configuration for each of the app's, with its versions: App Store Connect requires the same in both.
function configurations(objects, app, extension, team) {
    const { name } = extension;
    const appList = objects.XCConfigurationList[app.buildConfigurationList];
    const buildConfigurations = appList.buildConfigurations.map(({ value, comment }) => {
        const own = objects.XCBuildConfiguration[value].buildSettings;
        const buildSettings = {
            APPLICATION_EXTENSION_API_ONLY: "YES", CODE_SIGN_ENTITLEMENTS: quoted(`${name}/${name}.entitlements`),
            CODE_SIGN_STYLE: "Automatic", CURRENT_PROJECT_VERSION: own.CURRENT_PROJECT_VERSION ?? 1,
            // Xcode adds the bundle's usual members to the file.
            GENERATE_INFOPLIST_FILE: "YES", INFOPLIST_FILE: quoted(`${name}/Info.plist`),
            IPHONEOS_DEPLOYMENT_TARGET: own.IPHONEOS_DEPLOYMENT_TARGET ?? 15.1,
            LD_RUNPATH_SEARCH_PATHS: '"$(inherited) @executable_path/Frameworks @executable_path/../../Frameworks"',
            MARKETING_VERSION: own.MARKETING_VERSION ?? "1.0", PRODUCT_BUNDLE_IDENTIFIER: quoted(extension.bundleID),
            PRODUCT_NAME: '"$(TARGET_NAME)"', SKIP_INSTALL: "YES", SWIFT_VERSION: "6.0",
            TARGETED_DEVICE_FAMILY: own.TARGETED_DEVICE_FAMILY ?? '"1,2"',
        };
        if (team) buildSettings.DEVELOPMENT_TEAM = quoted(team);
        const members = { buildSettings, name: comment };
        return add(objects, "XCBuildConfiguration", `configuration/${comment}`, comment, members);
    });
    return add(objects, "XCConfigurationList", "configurations", `Build configuration list for ${name}`, {
        buildConfigurations, defaultConfigurationIsVisible: 0,
        defaultConfigurationName: appList.defaultConfigurationName,
    });
}

// The app is built after the extension, and contains it.
function embed(objects, main, app, extension, { reference, bundle }) {
    const proxy = add(objects, "PBXContainerItemProxy", "proxy", "PBXContainerItemProxy", {
        containerPortal: idOfProject(objects, main), containerPortal_comment: "Project object", proxyType: 1,
        remoteGlobalIDString: reference.value, remoteInfo: extension.name,
    });
    append(app, "dependencies", add(objects, "PBXTargetDependency", "dependency", "PBXTargetDependency", {
        target: reference.value, target_comment: reference.comment, targetProxy: proxy.value,
        targetProxy_comment: proxy.comment,
    }));
    const title = "Embed Foundation Extensions";
    const file = buildFile(objects, "embedded", `${bundle.comment} in ${title}`, {
        fileRef: bundle, settings: { ATTRIBUTES: ["RemoveHeadersOnCopy"] },
    });
    append(app, "buildPhases", add(objects, "PBXCopyFilesBuildPhase", "embed", title, {
        buildActionMask: 2147483647, dstPath: '""', dstSubfolderSpec: 13, files: [file], name: quoted(title),
        runOnlyForDeploymentPostprocessing: 0,
    }));
}

function idOfProject(objects, main) {
    return Object.keys(objects.PBXProject).find((id) => objects.PBXProject[id] === main);
}
