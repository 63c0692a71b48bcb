// Runs the plug-in as `expo prebuild` does: node prebuild.js PLUGIN APP_DIRECTORY [introspect]
//
// With introspect, it runs as `expo config --type introspect` does: the results are printed, and nothing is written.
//
// app.json in the directory is the app's configuration. A missing ios/ is created with the directory's project.pbxproj,
// as Expo creates it from its template. An existing one is changed. Standard output gets the app's Info.plist, its
// entitlements and EAS's list of extensions as one JSON object.
//
// Source: Expo, withIosBaseMods.ts, mod-compiler.ts and withMod.ts in @expo/config-plugins. The kinds run in this
// order, the plug-ins of a kind from last to first. app.json's values replace those of the project's files.
"use strict";

const fs = require("fs");
const path = require("path");
const project = require("./project.js");

const [plugin, root] = process.argv.slice(2, 4).map((each) => path.resolve(each));
const introspect = process.argv[4] === "introspect";
const ios = path.join(root, "ios");
const at = (name) => path.join(ios, name);

// What Expo reads for a kind, and writes after the plug-ins.
const KINDS = {
    dangerous: { read: () => ({}), write() {} },
    xcodeproj: {
        read: () => project.parse(fs.readFileSync(at("Mail.xcodeproj/project.pbxproj"), "utf8")),
        write: (results) => fs.writeFileSync(at("Mail.xcodeproj/project.pbxproj"), project.text(results)),
    },
    infoPlist: dictionary("infoPlist", "Mail/Info.plist.json"),
    entitlements: dictionary("entitlements", "Mail/Mail.entitlements.json"),
};

function dictionary(member, file) {
    return {
        isIntrospective: true,
        read: (config) => {
            const own = introspect ? {} : JSON.parse(fs.readFileSync(at(file), "utf8"));
            config.ios[member] = { ...own, ...config.ios[member] };
            return config.ios[member];
        },
        write: (results) => fs.writeFileSync(at(file), JSON.stringify(results)),
    };
}

function createProject() {
    fs.mkdirSync(at("Mail.xcodeproj"), { recursive: true });
    fs.mkdirSync(at("Mail/Supporting"), { recursive: true });
    fs.copyFileSync(path.join(root, "project.pbxproj"), at("Mail.xcodeproj/project.pbxproj"));
    const files = ["AppDelegate.swift", "Info.plist", "Supporting/Expo.plist"];
    for (const name of files) fs.writeFileSync(at(`Mail/${name}`), "");
    const info = { CFBundleVersion: "1", CFBundleShortVersionString: "1.0" };
    fs.writeFileSync(at("Mail/Info.plist.json"), JSON.stringify(info));
    fs.writeFileSync(at("Mail/Mail.entitlements.json"), "{}");
}

async function prebuild() {
    const { expo } = JSON.parse(fs.readFileSync(path.join(root, "app.json"), "utf8"));
    let config = { ...expo, _internal: { projectRoot: root } };
    for (const [name, options] of expo.plugins) {
        const file = name === "./plugins/with-pushcrypt" ? plugin : path.join(root, name);
        config = require(file)(config, options);
    }
    const { mods } = config;
    if (!fs.existsSync(ios) && !introspect) createProject();
    const modRequest = { projectRoot: root, platformProjectRoot: ios, platform: "ios", introspect };
    const results = {};
    for (const [kind, { read, write, isIntrospective }] of Object.entries(KINDS)) {
        if (introspect && !isIntrospective) continue;
        let modResults = read(config);
        for (const { action } of mods.filter((each) => each.kind === kind).reverse()) {
            ({ modResults } = await action({ ...config, modRequest, modResults }));
        }
        if (!introspect) write(modResults);
        results[kind] = modResults;
    }
    const { infoPlist, entitlements } = results;
    const eas = config.extra.eas.build.experimental.ios.appExtensions;
    console.log(JSON.stringify({ infoPlist, entitlements, eas }));
}

prebuild().catch((error) => {
    console.error(error.message);
    process.exit(65);
});
