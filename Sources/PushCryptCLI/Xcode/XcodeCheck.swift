internal import Foundation
internal import PushCryptSender

/// The check of a project for mistakes because of which its extension doesn't run, or shows `(Encrypted)`.
struct XcodeCheck {
    static let point = "com.apple.usernotifications.service"
    static let (appGroups, keychainGroups) = ("com.apple.security.application-groups", "keychain-access-groups")
    private static let testKey = "Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE"

    private let project: XcodeProject
    private let code: String
    private(set) var findings: [Finding] = []

    init(_ project: XcodeProject) {
        self.project = project
        code = project.code.values.joined(separator: "\n")
        for path in project.privateKeys { report("private-key-file", path) }
        for (path, text) in project.code where text.contains(Self.testKey) && !path.contains("Tests") {
            report("server-key-test", path)
        }
        let pairs = project.pairs
        if pairs.isEmpty { report("extension-missing", nil) }
        for (app, service) in pairs {
            for target in [app, service] { checkTarget(target) }
            checkExtension(service)
            checkSettings(of: app)
            checkGroups("app-group", Self.appGroups, "PushCryptAppGroup", [app, service])
            checkGroups("keychain-group", Self.keychainGroups, "PushCryptKeychainGroup", [app, service])
            checkSettings(service, app)
        }
        findings.sort { $0.message < $1.message }
    }

    private mutating func report(_ rule: String, _ path: String?, _ key: String? = nil) {
        guard let (message, fix) = Self.rules[rule] else { return }
        let rule = Rule(rule, .error, message, fix: fix)
        let location = Finding.Location(
            outside: [path ?? "the project", key].compactMap(\.self).joined(separator: ": "))
        let finding = Finding(rule: rule, location: location, detail: nil)
        if !findings.contains(finding) { findings.append(finding) }
    }

    /// Returns the texts of a key, which are empty if it is missing, or `nil` if the file can't be read.
    private func texts(_ path: String?, _ key: String) -> [String]? {
        path.flatMap { project.lists[$0] }.flatMap { $0.isValid ? $0[key] ?? [] : nil }
    }

    private mutating func checkTarget(_ target: XcodeTarget) {
        for path in [target.info, target.entitlements] where path.flatMap({ project.lists[$0] })?.isValid == false {
            report("property-list", path)
        }
        if target.entitlements == nil {
            report("entitlements-missing", target.project ?? target.info, target.project.map { _ in target.id })
        }
        for text in texts(target.info, "PushCryptServerKey") ?? [] where !text.contains("$") {
            let key = try? VerificationKey(parsing: text)
            if KeyMaterial.redacted(text) != text {
                report("server-key-private", target.info, "PushCryptServerKey")
            } else if key == nil || key?.jwk.contains(Self.testKey) == true {
                report(key == nil ? "server-key-invalid" : "server-key-test", target.info, "PushCryptServerKey")
            }
        }
    }

    private mutating func checkExtension(_ service: XcodeTarget) {
        guard let path = service.info, let list = project.lists[path], list.isValid else { return }
        if list["NSExtensionPointIdentifier"] != [Self.point] {
            report("extension-point", path, "NSExtensionPointIdentifier")
        } else if list["NSExtensionMainStoryboard"] != nil {
            report("storyboard", path, "NSExtensionMainStoryboard")
        } else if !hasClass(list["NSExtensionPrincipalClass"]?.first ?? "", service) {
            report("principal-class", path, "NSExtensionPrincipalClass")
        }
        guard code.contains(/:\s*SealedNotificationService/), !code.contains("override var accounts") else { return }
        for (key, property, rule) in [
            ("PushCryptServerKey", "senderPolicy", "server-key-missing"),
            ("PushCryptKeychainGroup", "keys", "keychain-group-missing"),
            ("PushCryptAppGroup", "appGroup", "app-group-missing"),
        ] where list[key] == nil && !code.contains("override var \(property):") { report(rule, path, key) }
    }

    /// Checks the settings that the app's code reads from its Info.plist.
    private mutating func checkSettings(of app: XcodeTarget) {
        for (key, use, rule) in [
            ("PushCryptServerKey", " .infoPlist", "server-key-missing"),
            ("PushCryptKeychainGroup", "KeychainStore()", "keychain-group-missing"),
            ("PushCryptAppGroup", "SharedContainer.path", "app-group-missing"),
        ] where code.contains(use) && texts(app.info, key) == [] { report(rule, app.info, key) }
    }

    /// Returns a Boolean value that indicates whether a class exists, in the module of the extension.
    private func hasClass(_ path: String, _ service: XcodeTarget) -> Bool {
        let names = path.split(separator: ".", omittingEmptySubsequences: false)
        guard names.count == 2 else { return code.contains("@objc(\(path))") }
        let isOwn = names[0].contains(/^\$[({]PRODUCT_(MODULE_)?NAME\b/)
        return (isOwn || service.info?.split(separator: "/").dropLast().last == names[0])
            && code.matches(of: /\bclass\s+(\w+)/).contains { $0.output.1 == names[1] }
    }

    private mutating func checkGroups(_ rule: String, _ key: String, _ setting: String, _ targets: [XcodeTarget]) {
        let (isKeychain, groups) = (key == Self.keychainGroups, targets.map { texts($0.entitlements, key) })
        let wanted = targets.map { texts($0.info, setting)?.first.map(Self.withoutPrefix) }
        let wrong = targets.indices.filter { index in
            guard let own = groups[index] else { return false }
            let needed = wanted[1].map { [$0] } ?? (groups[1 - index] ?? []).map(Self.withoutPrefix)
            // App groups and the bundle id are keychain groups too.
            let implied = isKeychain ? texts(targets[index].entitlements, Self.appGroups) : nil
            let all = (own + (implied ?? []) + [targets[index].id]).map(Self.withoutPrefix)
            return !needed.isEmpty && !needed.contains(where: all.contains)
                && !(needed + all).contains { $0.contains("$") }
        }
        let differing = wrong.filter { groups[$0] != [] }
        for index in wrong where groups[index] == [] { report("\(rule)-missing", targets[index].entitlements, key) }
        for index in differing where differing.count == 1 {
            report("\(rule)-differs", targets[index].entitlements, key)
        }
        let known = wanted.compactMap(\.self).filter { !$0.contains("$") }
        if differing.count == 2 || (wrong.isEmpty && Set(known).count == 2) {
            report("\(rule)-differs", targets[1].info, setting)
        }
        for (path, key) in targets.flatMap({ [($0.entitlements, key), ($0.info, setting)] }) where isKeychain {
            for text in texts(path, key) ?? [] where text.contains(/^(?!(group|com\.apple|[A-Z0-9]{10})\.)[^$]+$/) {
                report("keychain-prefix", path, key)
            }
        }
    }

    private static func withoutPrefix(_ group: String) -> String {
        group.replacing(/^(\$[({]\w+Prefix[)}]|[A-Z0-9]{10}\.)/, with: "")
    }

    private mutating func checkSettings(_ service: XcodeTarget, _ app: XcodeTarget) {
        let environments = ["aps-environment", "com.apple.developer.aps-environment"].map {
            texts(app.entitlements, $0)
        }
        if environments == [[], []] { report("environment-missing", app.entitlements, "aps-environment") }
        let filtering = "com.apple.developer.usernotifications.filtering"
        let isFiltering = code.contains(/hasFilteringEntitlement: Bool \{\s*(return )?true/)
        if isFiltering, let values = texts(service.entitlements, filtering), values != ["true"] {
            report("filtering-missing", service.entitlements, filtering)
        }
        guard let project = service.project, app.project == project else { return }
        if !service.id.hasPrefix("\(app.id).") { report("bundle-id", project, "PRODUCT_BUNDLE_IDENTIFIER") }
        for (name, value) in service.settings where name.hasSuffix("_DEPLOYMENT_TARGET") {
            guard let own = Double(value), let limit = app.settings[name].flatMap(Double.init), own > limit else {
                continue
            }
            report("deployment-target", project, name)
        }
    }

    // MARK: Rules

    /// The messages and fixes of the rules.
    static let rules = [
        "app-group-differs": ("The app and the extension have different groups.", "Use the same group in both."),
        "app-group-missing": (
            "The app group is missing.", "Add the capability App Groups, or this key to the Info.plist."
        ),
        "bundle-id": ("The extension's bundle id doesn't begin with the app's.", "Write it as the app's and a suffix."),
        "deployment-target": ("The extension needs a newer system than the app.", "Use the app's."),
        "entitlements-missing": ("The target has no entitlements.", "Set CODE_SIGN_ENTITLEMENTS to their file."),
        "environment-missing": ("The app can't get pushes.", "Add the capability Push Notifications in Xcode."),
        "extension-missing": ("No service extension was found.", "Create its files with 'pushcrypt xcode write'."),
        "extension-point": ("The extension point is missing or wrong.", "Set it to \(point)."),
        "filtering-missing": ("The entitlement is missing.", "Add it, or return false in hasFilteringEntitlement."),
        "keychain-group-differs": ("The app and the extension have different groups.", "Use the same group in both."),
        "keychain-group-missing": (
            "The keychain group is missing.", "Add the capability Keychain Sharing, or this key."
        ),
        "keychain-prefix": ("The keychain group has no prefix.", "Write $(AppIdentifierPrefix) before it."),
        "principal-class": ("No Swift class has this name.", "Set it to $(PRODUCT_MODULE_NAME).NotificationService."),
        "private-key-file": ("The project has a private key.", "Move the file out of the project."),
        "property-list": ("The file isn't a property list.", "Find the wrong line with 'plutil -lint'."),
        "server-key-invalid": ("This isn't an Ed25519 key.", "Copy the \"x\" that 'pushcrypt keys public' prints."),
        "server-key-missing": ("The server's key is missing.", "Copy the \"x\" that 'pushcrypt keys public' prints."),
        "server-key-private": ("Users get this private key with the app.", "Consider it compromised, and replace it."),
        "server-key-test": ("This is a public test key.", "Copy the \"x\" that 'pushcrypt keys public' prints."),
        "storyboard": ("A service extension has no storyboard.", "Remove the key, and set NSExtensionPrincipalClass."),
    ]
}
