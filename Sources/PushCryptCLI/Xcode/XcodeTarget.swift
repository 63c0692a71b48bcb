internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The files of a target, and its build settings if there is a project file.
struct XcodeTarget {
    var project: String?
    var settings: [String: String] = [:]
    var info: String?
    /// The path of the entitlements, which may be unknown, or `nil` if the target has none.
    var entitlements: String?

    var id: String { settings["PRODUCT_BUNDLE_IDENTIFIER"] ?? "" }
}

/// A service extension with the app that contains it, in one configuration.
struct XcodeInstallation {
    let app: XcodeTarget
    let service: XcodeTarget
}

extension XcodeProject {
    /// Each service extension with its app, in each configuration.
    var installations: [XcodeInstallation] {
        let infos = lists.keys.filter { $0.hasSuffix("Info.plist") || has("NSExtension", $0) }
            .sorted()
        let named = infos.filter {
            lists[$0]?["NSExtensionPointIdentifier"] == [XcodeCheck.extensionPoint]
        }
        let classes = code.filter { $0.value.contains(/:\s*(Sealed|UN)NotificationService/) }.keys
            .map(directory)
        let services = named.isEmpty ? infos.filter { classes.contains(directory($0)) } : named
        let extensions = services + infos.filter { has("NSExtension", $0) }
        let targets = projects.flatMap(targets)
        // Extensions and frameworks aren't installed alone.
        let apps = targets.filter { $0.settings["SKIP_INSTALL"] == nil }
        return services.flatMap { info in
            let own = targets.filter { $0.info == info }
            let found = [XcodeTarget(info: info, entitlements: entitlements(beside: info))]
            return (own.isEmpty ? found : own).map { service in
                let apps = apps.filter { $0.project == service.project }.sorted { $0.id < $1.id }
                let app = apps.last { service.id.hasPrefix("\($0.id).") } ?? apps.first
                return XcodeInstallation(
                    app: app ?? self.app(beside: extensions.map(directory)), service: service)
            }
        }
    }

    /// Returns the app by its files: entitlements that no extension has, and an Info.plist with the
    /// settings.
    private func app(beside directories: [String]) -> XcodeTarget {
        let own = rights.filter { !directories.contains(directory($0)) }
        return XcodeTarget(
            info: lists.keys.sorted().first {
                has("PushCrypt", $0) && !directories.contains(directory($0))
            },
            entitlements: own.first { has("aps-environment", $0) } ?? own.first {
                has("groups", $0)
            } ?? own.first
                ?? (rights.count > 1 ? "unknown" : nil))
    }

    private var rights: [String] { lists.keys.filter { $0.hasSuffix(".entitlements") }.sorted() }

    /// Returns the only entitlements beside a file, otherwise unknown ones if there are several.
    private func entitlements(beside info: String) -> String? {
        let own = rights.filter { directory($0) == directory(info) }
        return own.count == 1 ? own[0] : rights.count > 1 ? "unknown" : nil
    }

    /// Returns the targets with a bundle id in each configuration, if no bundle id depends on
    /// another setting.
    private func targets(_ project: String, _ text: String) -> [XcodeTarget] {
        guard !text.contains(/PRODUCT_BUNDLE_IDENTIFIER = "[^"$]*\$/) else { return [] }
        let base = project.split(separator: "/").dropLast(2).map { "\($0)/" }.joined()
        let parts = text.components(separatedBy: "buildSettings = {").dropFirst().map { part in
            let lines = part.components(separatedBy: "};")[0].replacing("$(SRCROOT)/", with: "")
                .split(separator: "\n")
            let values = lines.compactMap {
                $0.wholeMatch(of: /\s*"?(\w+)(?:\[.*\]"|) = "?([^";]*)"?;/)?.output
            }
            return Dictionary(values.map { (String($0.1), String($0.2)) }) { $1 }
        }
        let shared = parts.filter { $0["PRODUCT_BUNDLE_IDENTIFIER"] == nil }.flatMap(\.self)
            .filter { $0.key.hasSuffix("_DEPLOYMENT_TARGET") }
        return parts.filter {
            $0["PRODUCT_BUNDLE_IDENTIFIER"] != nil && !$0.keys.contains { $0.hasPrefix("TEST_") }
        }
        .map { own in
            let info = own["INFOPLIST_FILE"].map { base + $0 }
            let rights = own["CODE_SIGN_ENTITLEMENTS"]
            // A configuration file may set it.
            let isUnknown = rights != nil || text.contains("baseConfigurationReference")
            return XcodeTarget(
                project: project, settings: Dictionary(shared + own) { $1 }, info: info,
                entitlements: rights.flatMap { $0.contains("$") ? nil : base + $0 }
                    ?? (isUnknown ? info.flatMap(entitlements) ?? "unknown" : nil))
        }
    }

    private func directory(_ path: String) -> String { FileSystem.directory(of: path) }

    /// Returns a Boolean value that indicates whether a list has a key with a word.
    private func has(_ word: String, _ path: String) -> Bool {
        lists[path]?.members.keys.contains { $0.contains(word) } == true
    }
}
