internal import PushCryptSender

/// The rules of `pushcrypt xcode check`, each with a message and a fix.
enum XcodeRule {
    static let actionOnLockScreen = Rule(
        "action-on-lock-screen", .warning,
        message: "A person with the locked device can use the action.",
        fix: "Add .authenticationRequired to its options.")
    static let appGroupDiffers = Rule(
        "app-group-differs", .error, message: "The app and the extension have different groups.",
        fix: "Use the same group in both.")
    static let appGroupMissing = Rule(
        "app-group-missing", .error, message: "The app group is missing.",
        fix: "Add the capability App Groups, or this key to the Info.plist.")
    static let attachmentHost = Rule(
        "attachment-host", .error, message: "This isn't a host.",
        fix: "Write it without https://, a port and a path.")
    static let audienceDiffers = Rule(
        "audience-differs", .error, message: "The app and the extension have different audiences.",
        fix: "Use the same one in both, or in neither.")
    static let bundleId = Rule(
        "bundle-id", .error, message: "The extension's bundle id doesn't begin with the app's.",
        fix: "Write it as the app's and a suffix.")
    static let carrierDiffers = Rule(
        "carrier-differs", .error, message: "The app and the extension have different carriers.",
        fix: "Use the same one in both.")
    static let carrierUnknown = Rule(
        "carrier-unknown", .error, message: "No carrier has this name.",
        fix: "Use a name that 'pushcrypt seal --help' lists for --carrier.")
    static let deploymentTarget = Rule(
        "deployment-target", .error, message: "The extension needs a newer system than the app.",
        fix: "Use the app's.")
    static let entitlementsMissing = Rule(
        "entitlements-missing", .error, message: "The target has no entitlements.",
        fix: "Set CODE_SIGN_ENTITLEMENTS to their file.")
    static let environmentMissing = Rule(
        "environment-missing", .error, message: "The app can't get pushes.",
        fix: "Add the capability Push Notifications in Xcode.")
    static let extensionMissing = Rule(
        "extension-missing", .error, message: "No service extension was found.",
        fix: "Create its files with 'pushcrypt xcode write'.")
    static let extensionPoint = Rule(
        "extension-point", .error, message: "The extension point is missing or wrong.",
        fix: "Set it to \(XcodeCheck.extensionPoint).")
    static let filteringMissing = Rule(
        "filtering-missing", .error, message: "The entitlement is missing.",
        fix: "Add it, or return false in hasFilteringEntitlement.")
    static let keychainGroupDiffers = Rule(
        "keychain-group-differs", .error,
        message: "The app and the extension have different groups.",
        fix: "Use the same group in both.")
    static let keychainGroupMissing = Rule(
        "keychain-group-missing", .error, message: "The keychain group is missing.",
        fix: "Add the capability Keychain Sharing, or this key.")
    static let keychainPrefix = Rule(
        "keychain-prefix", .error, message: "The keychain group has no prefix.",
        fix: "Write $(AppIdentifierPrefix) before it.")
    static let principalClass = Rule(
        "principal-class", .error, message: "No Swift class has this name.",
        fix: "Set it to $(PRODUCT_MODULE_NAME).NotificationService.")
    static let privateKeyFile = Rule(
        "private-key-file", .error, message: "The project has a private key.",
        fix: "Move the file out of the project.")
    static let propertyList = Rule(
        "property-list", .error, message: "The file isn't a property list.",
        fix: "Find the wrong line with 'plutil -lint'.")
    static let serverKeyDiffers = Rule(
        "server-key-differs", .error, message: "The app and the extension pin different keys.",
        fix: "Use the same keys in the same order.")
    static let serverKeyInvalid = Rule(
        "server-key-invalid", .error, message: "This isn't an Ed25519 key.",
        fix: "Copy the \"x\" that 'pushcrypt keys public' prints.")
    static let serverKeyMissing = Rule(
        "server-key-missing", .error, message: "The server's key is missing.",
        fix: "Copy the \"x\" that 'pushcrypt keys public' prints.")
    static let serverKeyPrivate = Rule(
        "server-key-private", .error, message: "Users get this private key with the app.",
        fix: "Consider it compromised, and replace it.")
    static let serverKeyTest = Rule(
        "server-key-test", .error, message: "This is a public test key.",
        fix: "Copy the \"x\" that 'pushcrypt keys public' prints.")
    static let storyboard = Rule(
        "storyboard", .error, message: "A service extension has no storyboard.",
        fix: "Remove the key, and set NSExtensionPrincipalClass.")

    /// All rules.
    static let all = [
        actionOnLockScreen, appGroupDiffers, appGroupMissing, attachmentHost, audienceDiffers,
        bundleId, carrierDiffers,
        carrierUnknown, deploymentTarget, entitlementsMissing, environmentMissing, extensionMissing,
        extensionPoint, filteringMissing, keychainGroupDiffers, keychainGroupMissing,
        keychainPrefix, principalClass, privateKeyFile, propertyList, serverKeyDiffers,
        serverKeyInvalid, serverKeyMissing, serverKeyPrivate, serverKeyTest, storyboard,
    ]
}
