internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The files of an app and its notification service extension.
struct XcodeFiles: ParsableArguments {
    @Option(help: ArgumentHelp("The app's bundle id.", valueName: "id")) var bundleID: String
    @Option(
        help: ArgumentHelp("The app group. Default: group. and the bundle id.", valueName: "group"))
    var appGroup: String?
    @Option(
        help: ArgumentHelp(
            "The keychain group. Default: the bundle id and .shared.", valueName: "group"))
    var keychainGroup: String?
    @Option(help: ArgumentHelp("The name of the app's directory.", valueName: "name")) var app =
        "App"
    @Flag(help: "Let the app receive background pushes.") var background = false
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A host that has the files of attachments. May be repeated.", valueName: "host"))
    var attachmentHost: [String] = []
    @Option(
        help: ArgumentHelp(
            "The text that lists of accepted keys must have, as in 'pushcrypt keys announce'.",
            valueName: "text"))
    var audience: String?
    @Option(help: "The service that sends the pushes, if it isn't APNs.") var carrier: Carrier =
        .apns

    func validate() throws {
        for (option, value) in [
            ("bundle-id", bundleID), ("app-group", appGroup), ("keychain-group", keychainGroup),
            ("app", app),
        ] where value?.wholeMatch(of: /[A-Za-z0-9-]+([._][A-Za-z0-9-]+)*/) == nil && value != nil {
            throw ValidationError(
                """
                '--\(option)' isn't valid. Use letters, digits and hyphens, with dots between \
                them.
                """)
        }
        guard attachmentHost.allSatisfy(InfoKey.isHost) else {
            throw ValidationError(
                "'--attachment-host' isn't a host. Write it as in 'media.example.com'.")
        }
        guard audience?.isEmpty != true else {
            throw ValidationError("The value of '--audience' is empty. Remove it.")
        }
        guard appGroup?.hasPrefix("group.") != false else {
            throw ValidationError(
                "The app group doesn't begin with 'group.'. Write '--app-group group.NAME'.")
        }
    }

    static let source = """
        import PushCryptApple

        // The app group, the keychain group and the server's key come from the Info.plist.
        nonisolated class NotificationService: SealedNotificationService {}

        """

    /// The name of the extension's target and its directory.
    static let service = "NotificationService"

    /// Returns the values of the app and its extension, and the contents of their files by path.
    func values(serverKeys: [VerificationKey]) throws -> XcodeValues {
        let keys = serverKeys.map { Base64URL.encode($0.rawRepresentation) }
        let appGroup = appGroup ?? "group.\(bundleID)"
        let keychainGroup = "$(AppIdentifierPrefix)" + (keychainGroup ?? "\(bundleID).shared")
        var settings: [String: Any] = [
            InfoKey.appGroup: appGroup, InfoKey.keychainGroup: keychainGroup,
            InfoKey.serverKey: keys.count == 1 ? keys[0] : keys,
        ]
        settings[InfoKey.audience] = audience
        if carrier != .apns { settings[InfoKey.carrier] = carrier.rawValue }
        let groups = [
            SharedGroup.app.entitlement: [appGroup],
            SharedGroup.keychain.entitlement: [keychainGroup],
        ]
        return XcodeValues(
            name: app,
            app: .init(
                bundleID: bundleID,
                infoPlist: settings.merging(
                    background ? ["UIBackgroundModes": ["remote-notification"]] : [:]
                ) { $1 },
                entitlements: (groups as [String: Any]).merging(["aps-environment": "development"])
                { $1 }),
            service: .init(
                bundleID: "\(bundleID).\(Self.service)",
                infoPlist: settings.merging(serviceInfo) { $1 },
                entitlements: groups))
    }

    /// The members of the extension's Info.plist that the app's doesn't have.
    private var serviceInfo: [String: Any] {
        var info: [String: Any] = [
            "NSExtension": [
                "NSExtensionPointIdentifier": XcodeCheck.extensionPoint,
                "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).NotificationService",
            ]
        ]
        if let host = attachmentHost.first {
            info[InfoKey.attachmentHosts] = attachmentHost.count == 1 ? host : attachmentHost
        }
        return info
    }
}
