// A config plug-in of Expo: adds PushCrypt's notification service extension to the app when Expo generates the project.
//
//     "plugins": [["./plugins/with-pushcrypt", {"url": "https://git.example.com/pushcrypt.git", "version": "0.1.0"}]]
//
// "path" instead of "url" and "version" names a local package, relative to ios/. "deploymentTarget" is the extension's
// oldest system, by default the app's. `pushcrypt xcode write --expo` writes this file, and pushcrypt.json with the
// settings, the entitlements and the files. A second run replaces the additions of the first.
"use strict";

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const { withDangerousMod, withEntitlementsPlist, withInfoPlist, withXcodeProject } = require("@expo/config-plugins");

const OPTIONS = {
    url: { example: "https://git.example.com/pushcrypt.git", pattern: /^([a-z]+:\/\/|[\w.-]+@[\w.-]+:)[^\s"\\]+$/ },
    version: { example: "0.1.0", pattern: /^\d+\.\d+\.\d+(-[\w.-]+)?$/ },
    path: { example: "../../pushcrypt", pattern: /^[^/~\s"\\][^\n"\\]*$/ },
    deploymentTarget: { example: "16.0", pattern: /^(1[5-9]|[2-9]\d)(\.\d+){0,2}$/ },
};

module.exports = function withPushCrypt(config, options) {
    const settings = read(path.join(config._internal?.projectRoot ?? process.cwd(), "pushcrypt.json"));
    checkOptions(options ?? {});
    checkApp(config.ios ?? {}, settings.app);
    // The values of app.json. Expo adds those of an existing project later.
    const { infoPlist = {}, entitlements = {} } = config.ios;
    config = withDangerousMod(config, ["ios", (app) => write(app, settings, options.path)]);
    config = withXcodeProject(config, (app) => {
        addExtension(app.modResults.hash.project, settings.extension, options, {
            CURRENT_PROJECT_VERSION: infoPlist.CFBundleVersion ?? app.ios.buildNumber,
            MARKETING_VERSION: infoPlist.CFBundleShortVersionString ?? app.ios.version ?? app.version,
            IPHONEOS_DEPLOYMENT_TARGET: options.deploymentTarget, DEVELOPMENT_TEAM: teamOf(app.ios),
        });
        return app;
    });
    config = withInfoPlist(config, (app) => merge(app, "infoPlist", settings, infoPlist));
    config = withEntitlementsPlist(config, (app) => merge(app, "entitlements", settings, entitlements));
    return withEAS(config, settings.extension);
};

function read(file) {
    const fix = "Write it again with 'pushcrypt xcode write --expo --force'.";
    let settings;
    try {
        settings = JSON.parse(fs.readFileSync(file, "utf8"));
    } catch (error) {
        if (error instanceof SyntaxError) throw new Error(`${file} isn't valid JSON. ${fix}`);
        const problem = error.code === "ENOENT" ? "is missing" : `can't be read (${error.code})`;
        throw new Error(`${file} ${problem}. Run 'pushcrypt xcode write --expo' in the app's directory.`);
    }
    const { app, extension, files } = settings ?? {};
    const isMap = (value) => value?.constructor === Object;
    const isText = (value) => typeof value === "string" && value !== "";
    const wrong = [
        ["app.bundleID", isText(app?.bundleID)], ["app.infoPlist", isMap(app?.infoPlist)],
        ["app.entitlements", isMap(app?.entitlements)], ["extension.name", /^\w+$/.test(extension?.name ?? "")],
        ["extension.bundleID", isText(extension?.bundleID)], ["extension.entitlements", isMap(extension?.entitlements)],
        ...filesOf(extension?.name).map((name) => [`files.${name}`, isText(files?.[name])]),
    ].find(([, isValid]) => !isValid);
    if (wrong) throw new Error(`"${wrong[0]}" in ${file} is missing or isn't valid. ${fix}`);
    return settings;
}

function filesOf(name) {
    return [`${name}.swift`, "Info.plist", `${name}.entitlements`].map((file) => `${name}/${file}`);
}

function checkOptions(options) {
    for (const [name, value] of Object.entries(options)) {
        const { example, pattern } = OPTIONS[name] ?? {};
        if (!example) throw new Error(`The plug-in's option "${name}" is unknown. Remove it.`);
        if (typeof value === "string" && pattern.test(value)) continue;
        const problem = `The plug-in's option "${name}" is ${JSON.stringify(value)}, which isn't valid.`;
        throw new Error(`${problem} Write it as in "${example}".`);
    }
    const given = ["url", "version", "path"].filter((name) => options[name]);
    if (["url,version", "path"].includes(`${given}`)) return;
    const problem = given.length === 0 ? "missing" : `defined by "${given.join('" and "')}"`;
    throw new Error(`The plug-in's package is ${problem}. Give "url" and "version", or "path" alone.`);
}

function checkApp(ios, { bundleID, infoPlist }) {
    const id = ios.bundleIdentifier ?? "missing";
    if (id !== bundleID) {
        throw new Error(`ios.bundleIdentifier is ${id}, but pushcrypt.json is for ${bundleID}. Use the same in both.`);
    }
    for (const [key, value] of Object.entries(ios.infoPlist ?? {})) {
        if (!key.startsWith("PushCrypt") || JSON.stringify(infoPlist[key] ?? value) === JSON.stringify(value)) continue;
        throw new Error(`ios.infoPlist.${key} differs from pushcrypt.json. Remove it from app.json.`);
    }
}

// Expo gives the app's target the team of app.json.
function teamOf({ appleTeamId: own }) {
    const variable = process.env.EXPO_APPLE_TEAM_ID;
    if (!variable || !own || variable === own) return variable || own;
    throw new Error(`EXPO_APPLE_TEAM_ID is ${variable}, but ios.appleTeamId is ${own}. Use the same in both.`);
}

// Writes the extension's files. The app's come from Expo.
function write(app, { extension, files }, local) {
    const directory = app.modRequest.platformProjectRoot;
    if (local && !fs.existsSync(path.join(directory, local, "Package.swift"))) {
        throw new Error(`${path.join(directory, local)} doesn't contain Package.swift. Let "path" lead to PushCrypt.`);
    }
    fs.mkdirSync(path.join(directory, extension.name), { recursive: true });
    for (const name of filesOf(extension.name)) fs.writeFileSync(path.join(directory, name), files[name]);
    return app;
}

// The app's own values stay. Arrays, such as the groups, get more elements. A file records those, so that the next run
// removes them if they aren't in pushcrypt.json any more.
function merge(app, kind, settings, own) {
    const { modResults: values, modRequest } = app;
    const record = path.join(modRequest.platformProjectRoot, settings.extension.name, `added-${kind}.json`);
    const earlier = fs.existsSync(record) ? JSON.parse(fs.readFileSync(record, "utf8")) : {};
    const added = {};
    for (const key of Object.keys(values)) if (key.startsWith("PushCrypt") && !(key in own)) delete values[key];
    for (const [key, value] of Object.entries({ ...earlier, ...settings.app[kind] })) {
        if (key.startsWith("PushCrypt") || !Array.isArray(value)) {
            values[key] ??= value;
            continue;
        }
        const [old, wanted] = [earlier[key] ?? [], settings.app[kind][key] ?? []];
        const before = [].concat(values[key] ?? []);
        const kept = before.filter((each) => !old.includes(each) || own[key]?.includes(each) || wanted.includes(each));
        const mine = wanted.filter((each) => !before.includes(each) || old.includes(each));
        if (mine.length > 0) added[key] = mine;
        values[key] = [...new Set([...kept, ...wanted])];
        if (values[key].length === 0) delete values[key];
    }
    if (!modRequest.introspect) fs.writeFileSync(record, JSON.stringify(added));
    return app;
}

function withEAS(config, { name: targetName, bundleID: bundleIdentifier, entitlements }) {
    const ios = (((((config.extra ??= {}).eas ??= {}).build ??= {}).experimental ??= {}).ios ??= {});
    const others = (ios.appExtensions ?? []).filter((each) => each.targetName !== targetName);
    ios.appExtensions = [...others, { targetName, bundleIdentifier, entitlements }];
    return config;
}

// The first half of the plug-in's IDs in the Xcode project.
const OWN = Buffer.from("PUSHCR").toString("hex");
const PHASE = { buildActionMask: 2147483647, runOnlyForDeploymentPostprocessing: 0 };

function addExtension(contents, extension, options, settings) {
    const project = new Project(contents, extension.name);
    const product = project.addPackage(options);
    const configurations = project.addConfigurations(extension.bundleID, settings);
    project.addTarget(project.addFiles(), product, configurations);
    project.removeStale();
}

function quoted(value) {
    return /^[A-Za-z0-9_./]+$/.test(value) ? value : `"${String(value).replace(/(["\\])/g, "\\$1")}"`;
}

function append(list, reference) {
    if (!list.some((each) => each.value === reference.value)) list.push(reference);
}

// A project as the npm package `xcode` represents it: sections of objects by ID, each with a comment under ID_comment.
class Project {
    constructor({ objects, rootObject }, name) {
        Object.assign(this, { objects, name, root: objects.PBXProject[rootObject], used: new Set() });
        this.reference = { value: rootObject, comment: "Project object" };
        const targets = this.root.targets.map(({ value }) => [value, objects.PBXNativeTarget[value]]);
        this.app = targets.find(([, each]) => /product-type\.application"?$/.test(each?.productType))?.[1];
        if (!this.app) throw new Error("The project has no app. Run 'npx expo prebuild --clean'.");
        if (targets.every(([id, target]) => target?.name !== name || id.startsWith(OWN))) return;
        throw new Error(`The project has another target ${name}. Remove it, or run 'npx expo prebuild --clean'.`);
    }

    // Adds an object, or replaces that of an earlier run: the same name has the same ID.
    add(isa, name, comment, members) {
        const hash = crypto.createHash("sha256").update(`${isa}/${name}`).digest("hex");
        const id = OWN + hash.slice(0, 12).toUpperCase();
        const object = { isa };
        for (const [key, value] of Object.entries(members)) {
            object[key] = value.comment ? value.value : value;
            if (value.comment) object[`${key}_comment`] = value.comment;
        }
        Object.assign((this.objects[isa] ??= {}), { [id]: object, [`${id}_comment`]: comment });
        this.used.add(id);
        return { value: id, comment };
    }

    // Adds a file to a phase of the app's or the extension's target. A missing phase is created.
    build(user, target, title, member, reference) {
        const isa = `PBX${title}BuildPhase`;
        let phase = target.buildPhases.find((each) => this.objects[isa]?.[each.value]);
        phase ??= this.add(isa, user, title, { files: [], ...PHASE });
        this.used.add(phase.value);
        append(target.buildPhases, phase);
        if (!reference) return;
        const name = `${reference.comment} in ${title}`;
        const file = this.add("PBXBuildFile", `${user}/${title}`, name, { [member]: reference });
        append(this.objects[isa][phase.value].files, file);
    }

    // Adds the package's reference, and its product to the app; returns the product of the extension.
    addPackage({ url, version, path: local }) {
        const isa = local ? "XCLocalSwiftPackageReference" : "XCRemoteSwiftPackageReference";
        const reference = this.add(isa, "", `${isa} "pushcrypt"`, local ? { relativePath: quoted(local) } : {
            repositoryURL: quoted(url), requirement: { kind: "upToNextMajorVersion", minimumVersion: quoted(version) },
        });
        append((this.root.packageReferences ??= []), reference);
        const productName = "PushCryptApple";
        const [own, product] = ["app", "extension"].map((user) =>
            this.add("XCSwiftPackageProductDependency", user, productName, { package: reference, productName }));
        append((this.app.packageProductDependencies ??= []), own);
        this.build("app", this.app, "Frameworks", "productRef", own);
        return product;
    }

    // Adds a configuration for each of the app's, with its versions: App Store Connect requires the same in both.
    addConfigurations(bundleID, settings) {
        // A value such as $(MARKETING_VERSION) means that the app's target has the version.
        const given = Object.entries(settings).filter(([, value]) => value && !`${value}`.startsWith("$("))
            .map(([key, value]) => [key, quoted(value)]);
        const all = ({ buildConfigurationList: id }) => this.objects.XCConfigurationList[id].buildConfigurations
            .map(({ value }) => this.objects.XCBuildConfiguration[value]);
        const buildConfigurations = all(this.app).map(({ name, buildSettings: app }) => {
            const shared = all(this.root).find((each) => each.name === name)?.buildSettings;
            const own = { ...shared, ...app, ...Object.fromEntries(given) };
            const buildSettings = {
                APPLICATION_EXTENSION_API_ONLY: "YES", CODE_SIGN_ENTITLEMENTS: `${this.name}/${this.name}.entitlements`,
                CODE_SIGN_STYLE: "Automatic", CURRENT_PROJECT_VERSION: own.CURRENT_PROJECT_VERSION ?? 1,
                // Xcode adds the bundle's usual members to the file.
                GENERATE_INFOPLIST_FILE: "YES", INFOPLIST_FILE: `${this.name}/Info.plist`,
                IPHONEOS_DEPLOYMENT_TARGET: own.IPHONEOS_DEPLOYMENT_TARGET ?? 15.1,
                LD_RUNPATH_SEARCH_PATHS: '"$(inherited) @executable_path/Frameworks @executable_path/../../Frameworks"',
                MARKETING_VERSION: own.MARKETING_VERSION ?? "1.0", PRODUCT_BUNDLE_IDENTIFIER: quoted(bundleID),
                PRODUCT_NAME: '"$(TARGET_NAME)"', SKIP_INSTALL: "YES", SWIFT_VERSION: "6.0",
                TARGETED_DEVICE_FAMILY: own.TARGETED_DEVICE_FAMILY ?? '"1,2"',
            };
            if (own.DEVELOPMENT_TEAM) buildSettings.DEVELOPMENT_TEAM = own.DEVELOPMENT_TEAM;
            return this.add("XCBuildConfiguration", name, name, { buildSettings, name });
        });
        const { defaultConfigurationName } = this.objects.XCConfigurationList[this.app.buildConfigurationList];
        return this.add("XCConfigurationList", "", `Build configuration list for ${this.name}`, {
            buildConfigurations, defaultConfigurationIsVisible: 0, defaultConfigurationName,
        });
    }

    // Adds the extension's files in a group; returns the source.
    addFiles() {
        const types = ["sourcecode.swift", "text.plist.xml", "text.plist.entitlements"];
        const children = filesOf(this.name).map((file, index) => {
            const [name, lastKnownFileType] = [path.basename(file), types[index]];
            return this.add("PBXFileReference", name, name, { lastKnownFileType, path: name, sourceTree: '"<group>"' });
        });
        const group = { children, path: this.name, sourceTree: '"<group>"' };
        append(this.objects.PBXGroup[this.root.mainGroup].children, this.add("PBXGroup", "", this.name, group));
        return children[0];
    }

    // Adds the target and its product, and lets the app depend on it and contain it.
    addTarget(source, product, buildConfigurationList) {
        const { name } = this;
        const bundle = this.add("PBXFileReference", "product", `${name}.appex`, {
            explicitFileType: '"wrapper.app-extension"', includeInIndex: 0, path: `${name}.appex`,
            sourceTree: "BUILT_PRODUCTS_DIR",
        });
        append(this.objects.PBXGroup[this.root.productRefGroup].children, bundle);
        const target = this.add("PBXNativeTarget", "", name, {
            buildConfigurationList, buildPhases: [], buildRules: [], dependencies: [], name,
            packageProductDependencies: [product], productName: name, productReference: bundle,
            productType: '"com.apple.product-type.app-extension"',
        });
        append(this.root.targets, target);
        const object = this.objects.PBXNativeTarget[target.value];
        this.build("extension", object, "Sources", "fileRef", source);
        this.build("extension", object, "Frameworks", "productRef", product);
        this.build("extension", object, "Resources");
        const targetProxy = this.add("PBXContainerItemProxy", "", "PBXContainerItemProxy", {
            containerPortal: this.reference, proxyType: 1, remoteGlobalIDString: target.value, remoteInfo: name,
        });
        append(this.app.dependencies, this.add("PBXTargetDependency", "", name, { target, targetProxy }));
        const step = "Embed Foundation Extensions";
        const settings = { ATTRIBUTES: ["RemoveHeadersOnCopy"] };
        const file = this.add("PBXBuildFile", `app/${step}`, `${name}.appex in ${step}`, { fileRef: bundle, settings });
        append(this.app.buildPhases, this.add("PBXCopyFilesBuildPhase", "", step, {
            dstPath: '""', dstSubfolderSpec: 13, files: [file], name: quoted(step), ...PHASE,
        }));
    }

    // Removes what an earlier run has added, and this one hasn't: a package of the other kind, or a configuration.
    removeStale() {
        const isStale = (id) => id.startsWith(OWN) && !this.used.has(id.slice(0, 24));
        for (const [isa, section] of Object.entries(this.objects)) {
            for (const id of Object.keys(section).filter(isStale)) delete section[id];
            if (Object.keys(section).length === 0) delete this.objects[isa];
        }
        this.root.packageReferences = this.root.packageReferences.filter(({ value }) => !isStale(value));
    }
}
