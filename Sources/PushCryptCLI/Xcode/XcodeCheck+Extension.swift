internal import PushCryptSender

/// The keys of an Info.plist that the receiver library reads.
enum InfoKey {
    static let serverKey = "PushCryptServerKey"
    static let audience = "PushCryptAudience"
    static let carrier = "PushCryptCarrier"
    static let keychainGroup = "PushCryptKeychainGroup"
    static let appGroup = "PushCryptAppGroup"
    static let attachmentHosts = "PushCryptAttachmentHosts"

    /// All settings of PushCrypt.
    static let all = [serverKey, audience, carrier, keychainGroup, appGroup, attachmentHosts]

    /// Returns a Boolean value that indicates whether a string is a host without a scheme and a
    /// port.
    static func isHost(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil }
}

/// The Info.plist of the extension, and the settings that the code reads from an Info.plist.
extension XcodeCheck {
    mutating func checkPrincipalClass(of service: XcodeTarget) {
        guard let path = service.info, let list = project.lists[path], list.isValid else { return }
        if list["NSExtensionPointIdentifier"] != [Self.extensionPoint] {
            report(XcodeRule.extensionPoint, at: path, key: "NSExtensionPointIdentifier")
        } else if list["NSExtensionMainStoryboard"] != nil {
            report(XcodeRule.storyboard, at: path, key: "NSExtensionMainStoryboard")
        } else if !hasClass(list["NSExtensionPrincipalClass"]?.first ?? "", in: service) {
            report(XcodeRule.principalClass, at: path, key: "NSExtensionPrincipalClass")
        }
    }

    /// Returns a Boolean value that indicates whether a class exists, in the module of the
    /// extension.
    private func hasClass(_ name: String, in service: XcodeTarget) -> Bool {
        let names = name.split(separator: ".", omittingEmptySubsequences: false)
        guard names.count == 2 else { return code.contains("@objc(\(name))") }
        let isInOwnModule = names[0].contains(/^\$[({]PRODUCT_(MODULE_)?NAME\b/)
        let directory = service.info?.split(separator: "/").dropLast().last
        return (isInOwnModule || directory == names[0])
            && code.matches(of: /\bclass\s+(\w+)/).contains { $0.output.1 == names[1] }
    }

    /// Checks the settings that a subclass of `SealedNotificationService` reads from the
    /// extension's Info.plist.
    mutating func checkSettingsInCode(ofService service: XcodeTarget) {
        guard let path = service.info, let list = project.lists[path], list.isValid else { return }
        guard code.contains(/:\s*SealedNotificationService/) else { return }
        for (key, rule) in settingsOfInfoPlist where list[key] == nil {
            report(rule, at: path, key: key)
        }
    }

    /// The settings that the code takes from the Info.plist, unless it sets them itself.
    private var settingsOfInfoPlist: [(key: String, rule: Rule)] {
        guard !code.contains("PushConfiguration(") else { return [] }
        let settings = [
            (key: InfoKey.serverKey, setting: "accounts", rule: XcodeRule.serverKeyMissing),
            (key: InfoKey.keychainGroup, setting: "secrets", rule: XcodeRule.keychainGroupMissing),
            (key: InfoKey.appGroup, setting: "directory", rule: XcodeRule.appGroupMissing),
        ]
        return settings.filter { !code.contains(".\($0.setting) =") }.map { ($0.key, $0.rule) }
    }

    /// Checks that the app and the extension have the same known carrier, unless it has a build
    /// setting.
    mutating func checkCarrier(of installation: XcodeInstallation) {
        let targets = [installation.app, installation.service]
        let values = targets.map { strings(of: InfoKey.carrier, in: $0.info) ?? [] }
        guard !values.joined().contains(where: { $0.contains("$") }) else { return }
        for (target, value) in zip(targets, values) where !value.isEmpty {
            if value.count == 1, Carrier.all.contains(Carrier(rawValue: value[0])) { continue }
            return report(XcodeRule.carrierUnknown, at: target.info, key: InfoKey.carrier)
        }
        guard values[0] != values[1] else { return }
        report(XcodeRule.carrierDiffers, at: installation.service.info, key: InfoKey.carrier)
    }

    /// Checks the hosts of attachments, unless they have a build setting, which isn't known here.
    mutating func checkAttachmentHosts(of target: XcodeTarget) {
        let hosts = strings(of: InfoKey.attachmentHosts, in: target.info) ?? []
        guard hosts.contains(where: { !$0.contains("$") && !InfoKey.isHost($0) }) else { return }
        report(XcodeRule.attachmentHost, at: target.info, key: InfoKey.attachmentHosts)
    }

    /// Checks the settings that the app's code reads from the app's Info.plist.
    mutating func checkSettingsInCode(ofApp app: XcodeTarget) {
        guard code.contains(/\.infoPlist\b/) else { return }
        for (key, rule) in settingsOfInfoPlist where strings(of: key, in: app.info) == [] {
            report(rule, at: app.info, key: key)
        }
    }
}
