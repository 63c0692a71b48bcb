import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// Wrong set-ups, each one change of a right one, and right ones.
@Suite(.toolThreads) struct XcodeCheckTests {
    private typealias Change = @Sendable (XcodeFixture) throws -> Void

    /// A set-up.
    struct SetUp: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The rules and locations of the findings.
        let findings: [String]
        let hasProject: Bool
        let change: @Sendable (XcodeFixture) throws -> Void

        init(
            _ description: String, _ findings: String..., hasProject: Bool = false,
            change: @escaping @Sendable (XcodeFixture) throws -> Void
        ) {
            testDescription = description
            self.findings = findings
            self.hasProject = hasProject
            self.change = change
        }
    }

    private static let (info, entitlements, app) = (
        XcodeFixture.info, XcodeFixture.entitlements, XcodeFixture.app
    )
    private static let (appInfo, project) = (XcodeFixture.appInfo, XcodeFixture.project)
    private static let appGroups = "com.apple.security.application-groups"
    private static let pointKey = "NSExtensionPointIdentifier"
    private static let className = "<string>$(PRODUCT_MODULE_NAME).NotificationService</string>"

    private static func action(_ options: String, _ type: String = "UNNotificationAction")
        -> String
    {
        "let action = \(type)(\n    identifier: \"READ\", title: title(\"Read\")\(options))\n"
    }

    static let wrong: [SetUp] = [
        SetUp("an action without options", "action-on-lock-screen App/Actions.swift: READ") {
            try $0.write(action(""), to: "App/Actions.swift")
        },
        SetUp("an action with empty options", "action-on-lock-screen App/Actions.swift: READ") {
            try $0.write(action(", options: []"), to: "App/Actions.swift")
        },
        SetUp(
            "a reply with other options", "action-on-lock-screen App/Actions.swift: READ"
        ) {
            let reply = "UNTextInputNotificationAction"
            try $0.write(
                action(", options: [.destructive], textInputButtonTitle: \"S\"", reply),
                to: "App/Actions.swift")
        },
        SetUp(
            "one of two actions", "action-on-lock-screen App/Actions.swift: READ"
        ) {
            try $0.write(
                action(", options: .authenticationRequired") + action(", options: .destructive"),
                to: "App/Actions.swift")
        },
        SetUp("another extension point", "extension-point \(info): \(pointKey)") {
            try $0.replace(
                "usernotifications.service", with: "usernotifications.content-extension", in: info)
        },
        SetUp("no extension point", "extension-point \(info): \(pointKey)") {
            try $0.remove(pointKey, from: info)
        },
        SetUp("no NSExtension", "extension-point \(info): \(pointKey)") {
            let text = try $0.text(info)
            let start = try #require(text.range(of: "\t<key>NSExtension</key>\n")?.lowerBound)
            let end = try #require(text.range(of: "\t</dict>\n")?.upperBound)
            try $0.write(String(text[..<start] + text[end...]), to: info)
        },
        SetUp("no class", "principal-class \(info): NSExtensionPrincipalClass") {
            try $0.remove("NSExtensionPrincipalClass", from: info)
        },
        SetUp("a class without its module", "principal-class \(info): NSExtensionPrincipalClass") {
            try $0.replace("$(PRODUCT_MODULE_NAME).", with: "", in: info)
        },
        SetUp("a class of the app's module", "principal-class \(info): NSExtensionPrincipalClass") {
            try $0.replace("$(PRODUCT_MODULE_NAME).", with: "App.", in: info)
        },
        SetUp("a class that doesn't exist", "principal-class \(info): NSExtensionPrincipalClass") {
            try $0.replace(
                "class NotificationService:", with: "class PushService:", in: XcodeFixture.service)
        },
        SetUp("a storyboard", "storyboard \(info): NSExtensionMainStoryboard") {
            try $0.replace("NSExtensionPrincipalClass", with: "NSExtensionMainStoryboard", in: info)
        },
        SetUp("no app group in the app", "app-group-missing \(app): \(appGroups)") {
            try $0.remove(appGroups, from: app)
        },
        SetUp("no app group in the extension", "app-group-missing \(entitlements): \(appGroups)") {
            try $0.remove(appGroups, from: entitlements)
        },
        SetUp("another app group in the app", "app-group-differs \(app): \(appGroups)") {
            try $0.replace("group.com.example.app", with: "group.com.example.other", in: app)
        },
        SetUp(
            "another app group in the extension", "app-group-differs \(entitlements): \(appGroups)"
        ) {
            try $0.replace(
                "group.com.example.app", with: "group.com.example.other", in: entitlements)
        },
        SetUp("another app group in the Info.plist", "app-group-differs \(info): PushCryptAppGroup")
        {
            try $0.replace("group.com.example.app", with: "group.com.example.other", in: info)
        },
        SetUp(
            "another app group in the app's Info.plist",
            "app-group-differs \(info): PushCryptAppGroup"
        ) {
            try $0.replace("group.com.example.app", with: "group.com.example.other", in: appInfo)
        },
        SetUp("no app group in the Info.plist", "app-group-missing \(info): PushCryptAppGroup") {
            try $0.remove("PushCryptAppGroup", from: info)
        },
        SetUp(
            "no keychain group in the app", "keychain-group-missing \(app): keychain-access-groups"
        ) {
            try $0.remove("keychain-access-groups", from: app)
        },
        SetUp(
            "no keychain group in the extension",
            "keychain-group-missing \(entitlements): keychain-access-groups"
        ) {
            try $0.remove("keychain-access-groups", from: entitlements)
        },
        SetUp(
            "another keychain group in the app",
            "keychain-group-differs \(app): keychain-access-groups"
        ) {
            try $0.replace("com.example.app.shared", with: "com.example.app.keys", in: app)
        },
        SetUp(
            "another keychain group in the extension",
            "keychain-group-differs \(entitlements): keychain-access-groups"
        ) {
            try $0.replace("com.example.app.shared", with: "com.example.app.keys", in: entitlements)
        },
        SetUp(
            "another keychain group in the Info.plist",
            "keychain-group-differs \(info): PushCryptKeychainGroup"
        ) {
            try $0.replace("com.example.app.shared", with: "com.example.app.keys", in: info)
        },
        SetUp(
            "no keychain group in the Info.plist",
            "keychain-group-missing \(info): PushCryptKeychainGroup"
        ) {
            try $0.remove("PushCryptKeychainGroup", from: info)
        },
        SetUp(
            "a keychain group without its prefix", "keychain-prefix \(app): keychain-access-groups"
        ) {
            try $0.replace("$(AppIdentifierPrefix)", with: "", in: app)
        },
        SetUp(
            "a keychain group without its prefix in the Info.plist",
            "keychain-prefix \(info): PushCryptKeychainGroup"
        ) {
            try $0.replace("$(AppIdentifierPrefix)", with: "", in: info)
        },
        SetUp(
            "groups that differ, named by the class",
            "keychain-group-differs \(info): PushCryptKeychainGroup"
        ) {
            try set("c.secrets = secrets", of: $0)
            try $0.remove("PushCryptKeychainGroup", from: info)
            try $0.remove("PushCryptKeychainGroup", from: appInfo)
            try $0.replace("com.example.app.shared", with: "com.example.app.keys", in: entitlements)
        },
        SetUp("an address instead of a host", "attachment-host \(info): PushCryptAttachmentHosts") {
            let hosts = "<key>PushCryptAttachmentHosts</key><string>https://a.example</string>"
            try $0.replace(
                "<key>PushCryptKeychainGroup", with: "\(hosts)<key>PushCryptKeychainGroup", in: info
            )
        },
        SetUp("no right to get pushes", "environment-missing \(app): aps-environment") {
            try $0.remove("aps-environment", from: app)
        },
        SetUp("no entitlements of the app", "entitlements-missing \(appInfo)") {
            try $0.remove(app)
        },
        SetUp("no entitlements of the extension", "entitlements-missing \(info)") {
            try $0.remove(entitlements)
        },
        SetUp("no server key", "server-key-missing \(info): PushCryptServerKey") {
            try $0.remove("PushCryptServerKey", from: info)
        },
        SetUp("another key in the app", "server-key-differs \(info): PushCryptServerKey") {
            try setKey(SigningKey().publicKey.jwk, $0, in: appInfo)
        },
        SetUp("an audience in the app alone", "audience-differs \(info): PushCryptAudience") {
            try $0.replace(
                "<key>PushCryptServerKey",
                with: "<key>PushCryptAudience</key><string>test</string><key>PushCryptServerKey",
                in: appInfo)
        },
        SetUp("a carrier in the app alone", "carrier-differs \(info): PushCryptCarrier") {
            try setCarrier("expo", $0, in: appInfo)
        },
        SetUp("a carrier's wrong name", "carrier-unknown \(info): PushCryptCarrier") {
            try setCarrier("Expo", $0, in: info)
            try setCarrier("expo", $0, in: appInfo)
        },
        SetUp("a placeholder", "server-key-invalid \(info): PushCryptServerKey") {
            try setKey("YOUR_SERVER_KEY", $0)
        },
        SetUp("a placeholder in the app", "server-key-invalid \(appInfo): PushCryptServerKey") {
            try setKey("YOUR_SERVER_KEY", $0, in: appInfo)
        },
        SetUp("a device's key", "server-key-invalid \(info): PushCryptServerKey") {
            try setKey(TestKeys.device().publicKey.jwk, $0)
        },
        SetUp("a private key", "server-key-private \(info): PushCryptServerKey") {
            let jwk =
                $0.key.publicKey.jwk.dropLast()
                + #","d":"\#(Base64URL.encode([UInt8](repeating: 1, count: 32)))"}"#
            try setKey(String(jwk), $0)
        },
        SetUp("the test key", "server-key-test \(info): PushCryptServerKey") {
            try setKey(XcodeFixture.testKey, $0)
        },
        SetUp("the test key in code", "server-key-test App/Keys.swift") {
            try $0.write("let key = \"\(XcodeFixture.testKey)\"", to: "App/Keys.swift")
        },
        SetUp("a private keyring", "private-key-file Keys/server.jwks") {
            _ = try KeyringFile<SigningKey>(path: $0.scratch.file("server.jwks")).readOrCreate(
                at: Date())
            try FileManager.default.createDirectory(
                atPath: $0.scratch.file("Keys"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                atPath: $0.scratch.file("server.jwks"), toPath: $0.scratch.file("Keys/server.jwks"))
        },
        SetUp(
            "a class that drops notifications",
            "filtering-missing \(entitlements): com.apple.developer.usernotifications.filtering"
        ) { try set("c.hasFilteringEntitlement = true", of: $0) },
        SetUp("no property list", "property-list \(info)") {
            try $0.write("<plist><dict>", to: info)
        },
        SetUp("entitlements that aren't a property list", "property-list \(app)") {
            try $0.write("{", to: app)
        },
        SetUp("no extension", "extension-missing the project") {
            try $0.remove("NotificationService")
        },
        SetUp(
            "another bundle id", "bundle-id \(project): PRODUCT_BUNDLE_IDENTIFIER", hasProject: true
        ) {
            try $0.replace("com.example.app.Not", with: "com.example.push.Not", in: project)
        },
        SetUp(
            "a bundle id without a dot", "bundle-id \(project): PRODUCT_BUNDLE_IDENTIFIER",
            hasProject: true
        ) {
            try $0.replace("com.example.app.Not", with: "com.example.appNot", in: project)
        },
        SetUp(
            "a newer system", "deployment-target \(project): IPHONEOS_DEPLOYMENT_TARGET",
            hasProject: true
        ) {
            try $0.replace("= 15.0;", with: "= 26.0;", in: project)
        },
        SetUp(
            "unset entitlements",
            "entitlements-missing \(project): com.example.app.NotificationService",
            hasProject: true
        ) {
            try $0.replace(
                "\t\t\t\tCODE_SIGN_ENTITLEMENTS = NotificationService/NotificationService.entitlements;\n",
                with: "",
                in: project)
        },
        SetUp(
            "groups of files elsewhere",
            "app-group-missing Other/Rights.entitlements: \(appGroups)", hasProject: true
        ) {
            try $0.remove(appGroups, from: entitlements)
            try $0.write($0.text(entitlements), to: "Other/Rights.entitlements")
            try $0.remove(entitlements)
            try $0.replace(
                "NotificationService/NotificationService.entitlements",
                with: "Other/Rights.entitlements", in: project)
        },
    ]

    static let right: [SetUp] = [
        SetUp("what the tool writes") { _ in },
        SetUp("a project file", hasProject: true) { _ in },
        SetUp("an app that isn't the first", hasProject: true) {
            try $0.replace(
                "com.example.Kit;\n\t\t\t\tSKIP_INSTALL = YES", with: "com.example.aaa", in: project
            )
        },
        SetUp("settings that depend on others", hasProject: true) {
            try $0.replace("com.example.app.Not", with: "\"$(ID).Not", in: project)
            try $0.replace("NotificationService;", with: "NotificationService\";", in: project)
            try $0.replace("= 15.0;", with: "= \"$(TARGET)\";", in: project)
        },
        SetUp("settings in a file of their own", hasProject: true) {
            try $0.replace(
                "buildSettings", with: "baseConfigurationReference = 1;\n\t\t\tbuildSettings",
                in: project)
            for name in ["App", "NotificationService"] {
                try $0.replace(
                    "\t\t\t\tCODE_SIGN_ENTITLEMENTS = \(name)/\(name).entitlements;\n", with: "",
                    in: project)
            }
        },
        SetUp("binary lists") {
            for path in [info, entitlements, app, appInfo] {
                let data = try Data(contentsOf: URL(fileURLWithPath: $0.scratch.file(path)))
                let list = try unsafe PropertyListSerialization.propertyList(
                    from: data, format: nil)
                try $0.write(
                    PropertyListSerialization.data(
                        fromPropertyList: list, format: .binary, options: 0), to: path)
            }
        },
        SetUp("a key as a JWK") { try setKey($0.key.publicKey.jwk, $0) },
        SetUp("two keys") { fixture in
            let key = Base64URL.encode(fixture.key.publicKey.rawRepresentation)
            let other = Base64URL.encode(try SigningKey().publicKey.rawRepresentation)
            for path in [info, appInfo] {
                try fixture.replace(
                    "<string>\(key)</string>",
                    with: "<array><string>\(key)</string><string>\(other)</string></array>",
                    in: path)
            }
        },
        SetUp("build settings as values") {
            try setKey("$(SERVER_KEY)", $0)
            for path in [info, app, entitlements] {
                try $0.replace("group.com.example.app", with: "group.$(APP)", in: path)
                try $0.replace("com.example.app.shared", with: "$(GROUP)", in: path)
            }
        },
        SetUp("build settings in the entitlements alone") {
            for path in [app, entitlements] {
                try $0.replace("group.com.example.app", with: "group.$(APP)", in: path)
                try $0.replace("com.example.app.shared", with: "$(GROUP)", in: path)
            }
        },
        SetUp("a team's id in the Info.plist") {
            try $0.replace("$(AppIdentifierPrefix)", with: "ABCDE12345.", in: info)
        },
        SetUp("the app group as the keychain group") {
            for path in [info, appInfo] {
                try $0.replace(
                    "$(AppIdentifierPrefix)com.example.app.shared", with: "group.com.example.app",
                    in: path)
            }
            for path in [app, entitlements] { try $0.remove("keychain-access-groups", from: path) }
        },
        SetUp("no app group") {
            try set("c.directory = nil", of: $0)
            for path in [app, entitlements] { try $0.remove(appGroups, from: path) }
            for path in [info, appInfo] { try $0.remove("PushCryptAppGroup", from: path) }
        },
        SetUp("settings in code") {
            try set("c.accounts = accounts; c.secrets = secrets", of: $0)
            for key in ["PushCryptServerKey", "PushCryptKeychainGroup"] {
                try $0.remove(key, from: info)
            }
        },
        SetUp("a class with a name for Objective-C") {
            try $0.replace("$(PRODUCT_MODULE_NAME).", with: "", in: info)
            try $0.replace(
                "nonisolated", with: "@objc(NotificationService) nonisolated",
                in: XcodeFixture.service)
        },
        SetUp("a class in the module's name") {
            try $0.replace("$(PRODUCT_MODULE_NAME)", with: "NotificationService", in: info)
        },
        SetUp("filtering") {
            try set("c.hasFilteringEntitlement = true", of: $0)
            try $0.replace(
                "<dict>",
                with: "<dict><key>com.apple.developer.usernotifications.filtering</key><true/>",
                in: entitlements)
        },
        SetUp("no filtering") { try set("c.hasFilteringEntitlement = false", of: $0) },
        SetUp("a content extension and a widget") {
            let point = "com.apple.usernotifications.service"
            for (name, other) in [
                ("Content", "com.apple.usernotifications.content-extension"),
                ("W", "com.apple.widgetkit-extension"),
            ] {
                try $0.write($0.text(info).replacing(point, with: other), to: "\(name)/Info.plist")
                try $0.write("<plist><dict/></plist>", to: "\(name)/\(name).entitlements")
            }
        },
        SetUp("entitlements of other targets") {
            try $0.write(
                $0.text(entitlements).replacing("group.com.example.app", with: "group.a"),
                to: "A/A.entitlements")
            try $0.write("<plist><dict/></plist>", to: "AA/AA.entitlements")
        },
        SetUp("all files in one directory") { fixture in
            for path in [info, entitlements, app, appInfo] {
                let name = path.replacing("NotificationService/Info", with: "Service-Info").split(
                    separator: "/"
                ).last
                try fixture.write(try fixture.text(path), to: "Files/\(name ?? "")")
                try fixture.remove(path)
            }
        },
        SetUp("another framework's project") { fixture in
            for path in [info, entitlements, app, appInfo, XcodeFixture.service] {
                try fixture.write(try fixture.text(path), to: "ios/\(path)")
                try fixture.remove(path)
            }
            try fixture.write("{}", to: "package.json")
            try fixture.write("<plist><dict/></plist>", to: "macos/Runner/Info.plist")
        },
        SetUp("actions that need an unlocked device") { fixture in
            for (name, options) in [
                "A": ", options: .authenticationRequired", "B": ", options: [.foreground]",
                "C": ", options: [.destructive, .authenticationRequired]", "D": ", options: own",
            ] {
                try fixture.write(action(options), to: "App/\(name).swift")
            }
            try fixture.write("class UNNotificationAction(_ x: Int) {}", to: "App/E.swift")
        },
        SetUp("what isn't the project's") { fixture in
            for directory in [
                "Pods", "node_modules/a", ".build", "DerivedData", "Library", "A.xcframework",
            ] {
                try fixture.write(
                    "let key = \"\(XcodeFixture.testKey)\"", to: "\(directory)/a.swift")
                try fixture.write(
                    try fixture.text(info).replacing("NotificationService<", with: "None<"),
                    to: "\(directory)/Info.plist")
                try fixture.write(#"{"kty":"OKP","d":"a"}"#, to: "\(directory)/a.jwks")
            }
            try fixture.write("", to: "Library/Package.swift")
        },
        SetUp("links to the outside") { fixture in
            let other = try XcodeFixture()
            try setKey(XcodeFixture.testKey, other)
            let files = FileManager.default
            let outside = fixture.scratch.path + "-outside"
            try files.moveItem(atPath: other.scratch.path, toPath: outside)
            for (name, path) in [
                ("Linked", outside), ("A-Info.plist", outside + "/" + info),
                ("Loop", fixture.scratch.path),
            ] {
                try files.createSymbolicLink(
                    atPath: fixture.scratch.file(name), withDestinationPath: path)
            }
        },
    ]

    private static func setKey(_ key: String, _ fixture: XcodeFixture, in path: String = info)
        throws
    {
        let old = Base64URL.encode(fixture.key.publicKey.rawRepresentation)
        try fixture.replace(old, with: key.replacing("&", with: "&amp;"), in: path)
    }

    /// Has the service change its settings in code.
    private static func set(_ settings: String, of fixture: XcodeFixture) throws {
        let configuration =
            "override var configuration: PushConfiguration { var c = .infoPlist; \(settings); return c }"
        try fixture.replace(
            "Service {}", with: "Service {\n    \(configuration)\n}", in: XcodeFixture.service)
    }

    private static func setCarrier(_ name: String, _ fixture: XcodeFixture, in path: String) throws
    {
        try fixture.replace(
            "<key>PushCryptServerKey",
            with: "<key>PushCryptCarrier</key><string>\(name)</string><key>PushCryptServerKey",
            in: path)
    }

    @Test("A wrong set-up is named, and nothing else", arguments: wrong)
    func wrongSetUpIsNamed(_ setUp: SetUp) throws {
        let fixture = try XcodeFixture(hasProject: setUp.hasProject)
        try setUp.change(fixture)
        #expect(try fixture.findings() == setUp.findings)
    }

    @Test("A right set-up has no finding", arguments: right)
    func rightSetUpHasNoFinding(_ setUp: SetUp) throws {
        let fixture = try XcodeFixture(hasProject: setUp.hasProject)
        try setUp.change(fixture)
        defer { try? FileManager.default.removeItem(atPath: fixture.scratch.path + "-outside") }
        #expect(try fixture.findings() == [])
    }

    @Test("Each rule has a wrong set-up")
    func eachRuleHasAWrongSetUp() {
        let named = Self.wrong.flatMap(\.findings).compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        #expect(Set(named) == Set(XcodeRule.all.map(\.id.rawValue)))
    }

    @Test("A message is one sentence, and a fix is one more")
    func messagesAreShort() {
        for rule in XcodeRule.all {
            #expect(rule.message.hasSuffix(".") && rule.message.count < 70)
            #expect(rule.fix.hasSuffix(".") && rule.fix.count < 70)
        }
    }

    // MARK: Damage

    @Test("No bytes in a file crash the check")
    func noBytesCrash() throws {
        var random = SeededRandom(seed: 13)
        let names = [
            XcodeFixture.service, Self.info, Self.entitlements, Self.app, Self.appInfo,
            Self.project,
        ]
        for name in names {
            let fixture = try XcodeFixture(hasProject: true)
            let right = Array(try fixture.text(name).utf8)
            for _ in 0..<LongRun.count(3, full: 200) {
                var bytes = random.next() % 4 == 0 ? random.bytes(Int(random.next() % 600)) : right
                for _ in 0..<(random.next() % 20) where !bytes.isEmpty {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(
                        truncatingIfNeeded: random.next())
                }
                if random.next() % 8 == 0 { bytes = Array("bplist00".utf8) + bytes }
                try fixture.write(
                    Data(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1)))), to: name)
                _ = try fixture.findings()
                try fixture.write(Data(bytes), to: name)
                _ = try fixture.findings()
            }
        }
    }

    @Test("Deep and circular lists are invalid, and end soon")
    func deepListsEnd() throws {
        let fixture = try XcodeFixture()
        let deep = String(repeating: "<array>", count: 100_000)
        // An array of eight references to itself, and a dictionary whose only value it is.
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0]
        let circular =
            Array("bplist00".utf8) + [0xD1, 1, 2, 0x5B] + Array("NSExtension".utf8) + [
                0xA8, 2, 2, 2, 2, 2, 2, 2, 2,
            ]
            + [8, 11, 23] + trailer + [0, 0, 0, 0, 0, 0, 0, 32]
        let member =
            Array("bplist00".utf8) + [0xD1, 1, 0, 0x5B] + Array("NSExtension".utf8) + [8, 11]
            + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 0] + [
                0, 0, 0, 0, 0, 0, 0, 23,
            ]
        for bytes in [
            Array("<plist>\(deep)".utf8), Array("{a=\(deep.replacing("<array>", with: "("))".utf8),
            circular, member,
        ] {
            try fixture.write(Data(bytes), to: Self.info)
            let findings = try fixture.findings()
            #expect(findings.contains { $0.contains(Self.info) }, "\(findings)")
        }
    }

    @Test("Too many files are an error, and a missing directory too")
    func directoryIsChecked() throws {
        #expect(throws: PushCryptError(.fileNotFound, "")) { try XcodeProject("/nonexistent") }
        let fixture = try XcodeFixture()
        #expect(throws: PushCryptError.self) { try XcodeProject(fixture.scratch.file(Self.info)) }
    }
}
