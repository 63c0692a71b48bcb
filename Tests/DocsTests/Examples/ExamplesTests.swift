// The examples are compiled against stand-ins.
#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptTesting
import Testing

/// The examples' files fit together, so that a user who copies them only changes names.
@Suite struct ExamplesTests {
    private static let targets = ["App", "NotificationService", "NotificationContent"]

    private func text(_ path: String) throws -> String { try Document("Docs/Examples/\(path)").text }

    private func plist(_ path: String) throws -> [String: Any] {
        let list = try unsafe PropertyListSerialization.propertyList(from: Data(try text(path).utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    @Test("Every target has the groups of the code", arguments: targets)
    func everyTargetHasTheGroups(target: String) throws {
        // Without filtering: Apple grants it on request only, and Xcode can't sign without the grant.
        var entitlements = try plist("\(target)/\(target).entitlements")
        let keychain = try #require(entitlements.removeValue(forKey: "keychain-access-groups") as? [String])
        let prefix = "$(AppIdentifierPrefix)"
        #expect(keychain.map { $0.replacing(prefix, with: "ABCDE12345.") } == [PushSetup.accessGroup])
        #expect(keychain.first?.hasPrefix(prefix) == true)
        let appGroups = entitlements.removeValue(forKey: "com.apple.security.application-groups") as? [String]
        // The content extension needs neither log nor guard.
        #expect(appGroups == (target == "NotificationContent" ? nil : [PushSetup.appGroup]))
        #expect(entitlements as? [String: String] == (target == "App" ? ["aps-environment": "development"] : [:]))
    }

    @Test(
        "An extension names its extension point and its class",
        arguments: [
            ("NotificationService", "com.apple.usernotifications.service", "NotificationService"),
            ("NotificationContent", "com.apple.usernotifications.content-extension", "NotificationViewController"),
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
        #expect(try plist("App/Info.plist") as? [String: [String]] == ["UIBackgroundModes": ["remote-notification"]])
    }

    @Test("lint reads the content extension's Info.plist, and the page has its keys and values")
    func contentExtensionIsRead() throws {
        let path = "NotificationContent/Info.plist"
        let read = try ContentExtension(parsing: try text(path).utf8)
        #expect(read.categories == ["MESSAGE"] && read.initialContentSizeRatio == 0.5)
        #expect(read.isDefaultContentHidden == true && read.isUserInteractionEnabled == false)
        let info = try #require(try plist(path)["NSExtension"] as? [String: Any])
        let attributes = try #require(info["NSExtensionAttributes"] as? [String: Any])
        let rows = try Document("Docs/Xcode.md").table("key | value | effect")
        #expect(Set(rows.compactMap(\.first?.quoted)) == Set(attributes.keys))
        #expect(rows.map(\.[1].quoted) == ["MESSAGE", "0.5", "true", "false"])
    }

    @Test("The extension has at most ten lines of code")
    func extensionIsShort() throws {
        let lines = try text("NotificationService/NotificationService.swift").split(separator: "\n")
            .map { $0.drop { $0 == " " } }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
        #expect((5...10).contains(lines.count))
        #expect(!lines.contains { $0.contains("/*") || $0.contains(";") })
    }

    @Test("The example's key is the throwaway key, and says so")
    func keyIsTheThrowawayKey() throws {
        let published = try Document("Keys/test-server.public.jwk").text
        #expect(PushSetup.serverKeys == [published.trimmingCharacters(in: .whitespacesAndNewlines)])
        #expect(try text("Shared/PushSetup.swift").contains("throwaway"))
    }

    @Test("Every file can be copied as it is")
    func everyFileCanBeCopied() throws {
        let directory = Document.project.appendingPathComponent("Docs/Examples").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
        #expect(files.filter { $0.hasSuffix("Info.plist") }.count == Self.targets.count)
        #expect(files.filter { $0.hasSuffix(".entitlements") }.count == Self.targets.count)
        for file in files where file.hasSuffix(".swift") {
            // A user's project doesn't have the settings for these imports, and has its own entry point.
            let words = try text(file).matches(of: /(?:internal|public) import|\n@main/)
            #expect(words.isEmpty, "\(file)")
        }
    }
}
#endif
