internal import PushCryptSender

/// The keys in the project: private ones, and the public one of the server.
extension XcodeCheck {
    /// The public key of the test key in `Keys`.
    private static let testKey = "Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE"

    mutating func checkPrivateKeys() {
        for path in project.privateKeys { report(XcodeRule.privateKeyFile, at: path) }
    }

    mutating func checkTestKeysInCode() {
        for (path, text) in project.code
        where text.contains(Self.testKey) && !path.contains("Tests") {
            report(XcodeRule.serverKeyTest, at: path)
        }
    }

    /// Checks that the files of a target can be read, and the server's key in its Info.plist.
    mutating func checkFiles(of target: XcodeTarget) {
        for path in [target.info, target.entitlements]
        where path.flatMap({ project.lists[$0] })?.isValid == false {
            report(XcodeRule.propertyList, at: path)
        }
        if target.entitlements == nil {
            if let project = target.project {
                report(XcodeRule.entitlementsMissing, at: project, key: target.id)
            } else {
                report(XcodeRule.entitlementsMissing, at: target.info)
            }
        }
        // A build setting in the value isn't known here.
        for text in strings(of: InfoKey.serverKey, in: target.info) ?? [] where !text.contains("$")
        {
            guard let rule = Self.mistake(inServerKey: text) else { continue }
            report(rule, at: target.info, key: InfoKey.serverKey)
        }
    }

    /// Checks that the app and the extension pin the same roots in the same order, and the same
    /// audience.
    ///
    /// Otherwise one of them rejects the other's list.
    mutating func checkRoots(of installation: XcodeInstallation) {
        let app = installation.app.info
        let service = installation.service.info
        let texts = [app, service].map { strings(of: InfoKey.serverKey, in: $0) ?? [] }
        let keys = texts.map { $0.compactMap { try? VerificationKey(parsing: $0).kid } }
        // The app may have its keys in code. A wrong key is a finding of its own.
        guard texts.map(\.count) == keys.map(\.count), !keys[0].isEmpty, !keys[1].isEmpty,
            texts.joined().allSatisfy({ Self.mistake(inServerKey: $0) == nil })
        else { return }
        let audiences = [app, service].map { strings(of: InfoKey.audience, in: $0) ?? [] }
        for (values, key, rule) in [
            (keys, InfoKey.serverKey, XcodeRule.serverKeyDiffers),
            (audiences, InfoKey.audience, XcodeRule.audienceDiffers),
        ] where values[0] != values[1] && !values.joined().contains(where: { $0.contains("$") }) {
            report(rule, at: service, key: key)
        }
    }

    private static func mistake(inServerKey text: String) -> Rule? {
        if KeyMaterial.redacted(text) != text { return XcodeRule.serverKeyPrivate }
        guard let key = try? VerificationKey(parsing: text) else {
            return XcodeRule.serverKeyInvalid
        }
        return key.jwk.contains(testKey) ? XcodeRule.serverKeyTest : nil
    }
}
