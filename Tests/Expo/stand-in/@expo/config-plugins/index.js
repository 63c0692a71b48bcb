// Stands in for Expo's package of the same name: plug-ins register mods, and ../../../prebuild.js runs them.
//
// Source: Expo, "Create and use config plugins" and "Mods".
"use strict";

function register(config, kind, action) {
    (config.mods ??= []).push({ kind, action });
    return config;
}

exports.withInfoPlist = (config, action) => register(config, "infoPlist", action);
exports.withEntitlementsPlist = (config, action) => register(config, "entitlements", action);
exports.withXcodeProject = (config, action) => register(config, "xcodeproj", action);
exports.withDangerousMod = (config, [platform, action]) => {
    if (platform !== "ios") throw new Error(`unknown platform ${platform}`);
    return register(config, "dangerous", action);
};
