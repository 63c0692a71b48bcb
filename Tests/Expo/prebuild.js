// Runs the plug-in as `expo prebuild` does: node prebuild.js PLUGIN APP_DIRECTORY
//
// app.json in the directory is the app's configuration. ios/state.json keeps the project between runs. Standard output
// gets one JSON object with the results of the mods.
"use strict";

const fs = require("fs");
const path = require("path");
const { create, text } = require("./project.js");

const [plugin, root] = process.argv.slice(2).map((each) => path.resolve(each));
const ios = path.join(root, "ios");
const state = path.join(ios, "state.json");
const { expo } = JSON.parse(fs.readFileSync(path.join(root, "app.json"), "utf8"));
const project = fs.existsSync(state) ? JSON.parse(fs.readFileSync(state, "utf8")) : create();
const results = {
    infoPlist: expo.ios?.infoPlist ?? {}, entitlements: expo.ios?.entitlements ?? {}, xcodeproj: project, dangerous: {},
};

let config = { ...expo, _internal: { projectRoot: root } };
try {
    for (const [, options] of expo.plugins) config = require(plugin)(config, options);
    for (const { kind, action } of config.mods) {
        const modRequest = { projectRoot: root, platformProjectRoot: ios, platform: "ios" };
        results[kind] = action({ ...config, modRequest, modResults: results[kind] }).modResults;
    }
} catch (error) {
    console.error(error.message);
    process.exit(65);
}
fs.mkdirSync(path.join(ios, "Mail.xcodeproj"), { recursive: true });
fs.writeFileSync(state, JSON.stringify(results.xcodeproj));
fs.writeFileSync(path.join(ios, "Mail.xcodeproj", "project.pbxproj"), text(results.xcodeproj));
const { infoPlist, entitlements } = results;
console.log(JSON.stringify({ infoPlist, entitlements, eas: config.extra.eas.build.experimental.ios.appExtensions }));
