internal import PushCryptSender

/// A search for mistakes in a project that keep its extension from running, or that display
/// `(Encrypted)`.
struct XcodeCheck {
    static let extensionPoint = "com.apple.usernotifications.service"

    let project: XcodeProject
    /// The contents of all Swift files.
    let code: String
    /// The mistakes, in the order of their messages.
    private(set) var findings: [Finding] = []

    init(_ project: XcodeProject) {
        self.project = project
        code = project.code.values.joined(separator: "\n")
        checkPrivateKeys()
        checkTestKeysInCode()
        checkActions()
        let installations = project.installations
        if installations.isEmpty { report(XcodeRule.extensionMissing, at: nil) }
        for installation in installations { check(installation) }
        findings.sort { $0.message < $1.message }
    }

    private mutating func check(_ installation: XcodeInstallation) {
        let app = installation.app
        let service = installation.service
        checkFiles(of: app)
        checkFiles(of: service)
        checkRoots(of: installation)
        checkPrincipalClass(of: service)
        checkSettingsInCode(ofService: service)
        checkSettingsInCode(ofApp: app)
        checkAttachmentHosts(of: service)
        checkCarrier(of: installation)
        checkGroups(.app, of: installation)
        checkGroups(.keychain, of: installation)
        checkKeychainPrefixes(of: installation)
        checkCapabilities(of: installation)
        checkBuildSettings(of: installation)
    }

    /// Adds a finding, unless another configuration has the same one.
    mutating func report(_ rule: Rule, at path: String?, key: String? = nil) {
        let place = [path ?? "the project", key].compactMap(\.self).joined(separator: ": ")
        let finding = Finding(rule: rule, location: Finding.Location(outside: place), detail: nil)
        if !findings.contains(finding) { findings.append(finding) }
    }

    /// Returns the strings of a key, which are empty if the key is missing, or `nil` if the file
    /// can't be read.
    func strings(of key: String, in path: String?) -> [String]? {
        guard let path, let list = project.lists[path], list.isValid else { return nil }
        return list[key] ?? []
    }
}
