// The examples are compiled against stand-ins.
#if !canImport(Darwin)
@testable import PushCryptLint
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing

/// The examples' files fit together, so that a user who copies them only changes names.
@Suite struct ExamplesTests {
    private static let targets = ["App", "NotificationService", "NotificationContent"]

    private func text(_ path: String) throws -> String {
        try Document("Docs/Examples/\(path)").text
    }

    private func plist(_ path: String) throws -> [String: Any] {
        let list = try unsafe PropertyListSerialization.propertyList(
            from: Data(try text(path).utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    /// The path of a target's Info.plist: the app's isn't in its directory, which Xcode would copy
    /// into the app.
    private static func info(_ target: String) -> String {
        target == "App" ? "App-Info.plist" : "\(target)/Info.plist"
    }

    @Test("Every target has the groups and the server's key in its Info.plist", arguments: targets)
    func everyTargetHasTheGroups(target: String) throws {
        // Without filtering: Apple grants it on request only, and Xcode can't sign without the
        // grant.
        var entitlements = try plist("\(target)/\(target).entitlements")
        let keychain = entitlements.removeValue(forKey: "keychain-access-groups") as? [String]
        let appGroups =
            entitlements.removeValue(forKey: "com.apple.security.application-groups") as? [String]
        #expect(
            entitlements as? [String: String]
                == (target == "App" ? ["aps-environment": "development"] : [:]))
        let info = try plist(Self.info(target))
        #expect(
            info["PushCryptKeychainGroup"] as? String == "$(AppIdentifierPrefix)com.example.shared")
        #expect(keychain == ["$(AppIdentifierPrefix)com.example.shared"])
        // The content extension reads the user's choice of display.
        #expect(info["PushCryptAppGroup"] as? String == "group.com.example.app")
        #expect(appGroups == (info["PushCryptAppGroup"] as? String).map { [$0] })
        #expect(info["PushCryptServerKey"] as? String == "YOUR_SERVER_KEY")
    }

    @Test("The settings are valid as soon as Xcode has expanded them and the key is set")
    func settingsAreValid() throws {
        var info = try plist("NotificationService/Info.plist")
        #expect(throws: PushCryptError(.invalidConfiguration, "")) {
            try Self.open(InfoPlist(info).senderPolicy)
        }
        info["PushCryptServerKey"] = try TestKeys.sender().publicKey.jwk
        try Self.open(InfoPlist(info).senderPolicy)
        #expect(try InfoPlist(info).appGroup.get() == "group.com.example.app")
        // The content extension loads the same files.
        let hosts = try InfoPlist(info).attachmentHosts.get()
        #expect(
            try InfoPlist(plist("NotificationContent/Info.plist")).attachmentHosts.get() == hosts)
    }

    /// Opens a message of the test's server.
    private static func open(_ policy: SenderPolicy) throws {
        let push = try Sealer(.signed(by: TestKeys.sender())).seal(
            json: #"{"aps":{"alert":"text"}}"#.utf8, for: TestKeys.device().publicKey)
        _ = try Opener(keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: policy).open(
            json: push.payload)
    }

    @Test(
        "An extension names its extension point and its class",
        arguments: [
            ("NotificationService", "com.apple.usernotifications.service", "NotificationService"),
            (
                "NotificationContent", "com.apple.usernotifications.content-extension",
                "NotificationViewController"
            ),
        ])
    func extensionNamesItsClass(target: String, point: String, type: String) throws {
        let info = try #require(try plist("\(target)/Info.plist")["NSExtension"] as? [String: Any])
        #expect(info["NSExtensionPointIdentifier"] as? String == point)
        #expect(info["NSExtensionPrincipalClass"] as? String == "$(PRODUCT_MODULE_NAME).\(type)")
        // Apple allows only a class or a storyboard.
        #expect(info["NSExtensionMainStoryboard"] == nil)
        #expect(try text("\(target)/\(type).swift").contains("class \(type): "))
    }

    @Test("The app has the background mode that its delegate needs")
    func appHasTheBackgroundMode() throws {
        #expect(
            try plist("App-Info.plist")["UIBackgroundModes"] as? [String] == ["remote-notification"]
        )
    }

    @Test("lint reads the content extension's Info.plist, and the article has its keys and values")
    func contentExtensionIsRead() throws {
        let path = "NotificationContent/Info.plist"
        let read = try ContentExtension(parsing: try text(path).utf8)
        #expect(read.categories == ["MESSAGE"] && read.initialContentSizeRatio == 0.5)
        #expect(read.isDefaultContentHidden == true && read.isUserInteractionEnabled == false)
        let info = try #require(try plist(path)["NSExtension"] as? [String: Any])
        let attributes = try #require(info["NSExtensionAttributes"] as? [String: Any])
        let article = "Sources/PushCryptApple/PushCryptApple.docc/CustomizingTheExtension.md"
        let rows = try Document(article).table("key | value | effect")
        #expect(Set(rows.compactMap(\.first?.quoted)) == Set(attributes.keys))
        #expect(rows.map(\.[1].quoted) == ["MESSAGE", "0.5", "true", "false"])
    }

    @Test("The app has at most 200 lines, and its delegate at most 100")
    func appIsShort() throws {
        let directory = Document.project.appendingPathComponent("Docs/Examples/App").path
        let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasSuffix(".swift")
        }
        func lines(_ file: String) throws -> Int {
            try text("App/\(file)").split(separator: "\n").count
        }
        #expect(try files.reduce(0) { try $0 + lines($1) } <= 200)
        #expect(try lines("AppDelegate.swift") <= 100)
    }

    @Test("The extension has at most 14 lines, and no team, group or key")
    func extensionIsShort() throws {
        let text = try text("NotificationService/NotificationService.swift")
        #expect((3...14).contains(text.split(separator: "\n").count))
        #expect(
            try Document("README.md").blocks("swift").dropFirst().first.map { $0 + "\n" } == text)
    }

    @Test("No file or page has a team id, or the public test key")
    func nothingSecretCanShip() throws {
        let directory = Document.project.appendingPathComponent("Docs/Examples").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
            .filter { !$0.hasPrefix("Server/.") && !$0.hasPrefix("FirstServer/.") }.map {
                "Docs/Examples/" + $0
            }
        let testKey = try #require(
            Document("Keys/test-server.public.jwk").text.firstMatch(of: #/"x":"([^"]+)"/#)
        )
        .output.1
        for file in files.filter({ $0.contains(".") }) + ["README.md", "Docs/Xcode.md"] {
            let text = try Document(file).text
            #expect(!text.contains("ABCDE12345") && !text.contains(testKey), "\(file)")
        }
    }

    @Test("Every file can be copied as it is")
    func everyFileCanBeCopied() throws {
        let directory = Document.project.appendingPathComponent("Docs/Examples").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
            .filter { !$0.hasPrefix("Server/") && !$0.hasPrefix("FirstServer/") }
        #expect(
            Set(files.filter { $0.hasSuffix("Info.plist") }) == Set(Self.targets.map(Self.info)))
        #expect(files.filter { $0.hasSuffix(".entitlements") }.count == Self.targets.count)
        for file in files where file.hasSuffix(".swift") {
            // A user's project doesn't have the settings for these imports, and has its own entry
            // point.
            let words = try text(file).matches(of: /(?:internal|public) import|\n@main/)
            #expect(words.isEmpty, "\(file)")
        }
    }
}
#endif
