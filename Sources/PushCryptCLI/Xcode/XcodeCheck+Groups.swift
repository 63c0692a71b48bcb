internal import PushCryptSender

/// A kind of group that lets the app and its extension share files or keys.
struct SharedGroup {
    /// The key of the entitlements that lists the groups of a target.
    let entitlement: String
    /// The key of the Info.plist that names the group for the receiver library.
    let setting: String
    /// The entitlements list no group.
    let missing: Rule
    /// The app and the extension have no group in common, or use different groups.
    let differs: Rule
    /// The keys of the entitlements with other groups that also count.
    let impliedEntitlements: [String]

    static let app = SharedGroup(
        entitlement: "com.apple.security.application-groups", setting: InfoKey.appGroup,
        missing: XcodeRule.appGroupMissing, differs: XcodeRule.appGroupDiffers,
        impliedEntitlements: [])
    /// App groups are keychain groups too.
    static let keychain = SharedGroup(
        entitlement: "keychain-access-groups", setting: InfoKey.keychainGroup,
        missing: XcodeRule.keychainGroupMissing, differs: XcodeRule.keychainGroupDiffers,
        impliedEntitlements: [app.entitlement])
}

/// The groups that the app and its extension share.
extension XcodeCheck {
    /// The groups of a target, as its files list them.
    private struct Membership {
        let target: XcodeTarget
        /// The groups of the entitlement, with their prefixes, or `nil` if the entitlements can't
        /// be read.
        let listed: [String]?
        /// The group that the Info.plist names, without its prefix, or `nil` if it names none.
        let wanted: String?
        /// All groups that the target is a member of, without their prefixes.
        let all: [String]

        /// The groups of the entitlement, without their prefixes.
        var listedNames: [String] { (listed ?? []).map(XcodeCheck.withoutPrefix) }

        /// Returns a Boolean value that indicates whether the target lacks a group that it needs.
        ///
        /// A build setting in a group isn't known here, so it counts as every group.
        func lacks(_ needed: [String]) -> Bool {
            guard listed != nil, !needed.isEmpty else { return false }
            let isUnknown = (needed + all).contains { $0.contains("$") }
            return !isUnknown && !needed.contains(where: all.contains)
        }
    }

    mutating func checkGroups(_ group: SharedGroup, of installation: XcodeInstallation) {
        let app = membership(of: installation.app, in: group)
        let service = membership(of: installation.service, in: group)
        var lacking: [Membership] = []
        // Both need the group that the extension uses. If its name isn't known, they need one group
        // in common.
        let used = service.wanted.map { [$0] }
        if app.lacks(used ?? service.listedNames) { lacking.append(app) }
        if service.lacks(used ?? app.listedNames) { lacking.append(service) }

        for member in lacking where member.listed == [] {
            report(group.missing, at: member.target.entitlements, key: group.entitlement)
        }
        let differing = lacking.filter { $0.listed != [] }
        if differing.count == 1 {
            report(group.differs, at: differing[0].target.entitlements, key: group.entitlement)
        }
        let known = [app.wanted, service.wanted].compactMap(\.self).filter { !$0.contains("$") }
        let useDifferentGroups = lacking.isEmpty && Set(known).count == 2
        if differing.count == 2 || useDifferentGroups {
            report(group.differs, at: service.target.info, key: group.setting)
        }
    }

    private func membership(of target: XcodeTarget, in group: SharedGroup) -> Membership {
        let listed = strings(of: group.entitlement, in: target.entitlements)
        let implied = group.impliedEntitlements.flatMap {
            strings(of: $0, in: target.entitlements) ?? []
        }
        // The bundle ID is a keychain group too.
        let all = ((listed ?? []) + implied + [target.id]).map(Self.withoutPrefix)
        return Membership(
            target: target, listed: listed,
            wanted: strings(of: group.setting, in: target.info)?.first.map(Self.withoutPrefix),
            all: all)
    }

    /// Checks that each keychain group begins with the team's prefix.
    mutating func checkKeychainPrefixes(of installation: XcodeInstallation) {
        let group = SharedGroup.keychain
        for target in [installation.app, installation.service] {
            for (path, key) in [
                (target.entitlements, group.entitlement), (target.info, group.setting),
            ] {
                let hasPrefix = (strings(of: key, in: path) ?? []).allSatisfy { name in
                    !name.contains(/^(?!(group|com\.apple|[A-Z0-9]{10})\.)[^$]+$/)
                }
                if !hasPrefix { report(XcodeRule.keychainPrefix, at: path, key: key) }
            }
        }
    }

    private static func withoutPrefix(_ group: String) -> String {
        group.replacing(/^(\$[({]\w+Prefix[)}]|[A-Z0-9]{10}\.)/, with: "")
    }
}
