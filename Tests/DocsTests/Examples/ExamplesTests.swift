// The examples are compiled against stand-ins, which Apple's platforms do not need.
#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptTesting
import Testing

/// The examples' files fit together, so that whoever copies all of them has to change names alone.
@Suite struct ExamplesTests {
    private static let targets = ["App", "NotificationService", "NotificationContent"]

    private func plist(_ path: String) throws -> [String: Any] {
        let text = try Document("Docs/Examples/\(path)").text
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    private func extensionOf(_ target: String) throws -> [String: Any] {
        try #require(try plist("\(target)/Info.plist")["NSExtension"] as? [String: Any])
    }

    @Test(arguments: targets) func everyTargetHasTheGroupsOfTheCode(target: String) throws {
        let entitlements = try plist("\(target)/\(target).entitlements")
        #expect(entitlements["com.apple.security.application-groups"] as? [String] == [PushSetup.appGroup])
        let groups = try #require(entitlements["keychain-access-groups"] as? [String])
        #expect(groups.count == 1)
        let shared = try #require(groups.first)
        #expect(shared.hasPrefix("$(AppIdentifierPrefix)"))
        // In code the team's id is written out, with the point that belongs to the prefix.
        #expect(PushSetup.accessGroup == shared.replacing("$(AppIdentifierPrefix)", with: "ABCDE12345."))
        #expect((entitlements["aps-environment"] != nil) == (target == "App"))
        #expect(entitlements["com.apple.developer.usernotifications.filtering"] == nil)
    }

    @Test(arguments: [
        ("NotificationService", "com.apple.usernotifications.service", "NotificationService"),
        ("NotificationContent", "com.apple.usernotifications.content-extension", "NotificationViewController"),
    ])
    func anExtensionNamesItsPointAndItsClass(target: String, point: String, type: String) throws {
        let info = try extensionOf(target)
        #expect(info["NSExtensionPointIdentifier"] as? String == point)
        #expect(info["NSExtensionPrincipalClass"] as? String == "$(PRODUCT_MODULE_NAME).\(type)")
        #expect(info["NSExtensionMainStoryboard"] == nil)
        #expect(try Document("Docs/Examples/\(target)/\(type).swift").text.contains("class \(type): "))
    }

    @Test func theAppHasTheBackgroundModeThatItsDelegateNeeds() throws {
        #expect(try plist("App/Info.plist")["UIBackgroundModes"] as? [String] == ["remote-notification"])
    }

    @Test func lintReadsTheContentExtension() throws {
        let text = try Document("Docs/Examples/NotificationContent/Info.plist").text
        let read = try ContentExtension(parsing: text.utf8)
        #expect(read.categories == ["order"])
        #expect(read.initialContentSizeRatio == 0.3)
        #expect(read.isDefaultContentHidden == true)
        #expect(read.isUserInteractionEnabled == false)
        let attributes = try #require(
            try extensionOf("NotificationContent")["NSExtensionAttributes"] as? [String: Any])
        #expect(
            Set(attributes.keys) == [
                "UNNotificationExtensionCategory", "UNNotificationExtensionInitialContentSizeRatio",
                "UNNotificationExtensionDefaultContentHidden", "UNNotificationExtensionUserInteractionEnabled",
            ])
    }

    @Test func theExtensionIsTenLinesAtTheMost() throws {
        let lines = try Document("Docs/Examples/NotificationService/NotificationService.swift").text
            .split(separator: "\n").map { $0.drop { $0 == " " } }
        let code = lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }
        #expect(code.count <= 10 && code.count > 4)
        #expect(!code.contains { $0.contains("/*") || $0.contains(";") })
    }

    @Test func theKeyInTheExampleIsTheThrowawayOneAndSaysSo() throws {
        let published = try Document("Keys/test-server.public.jwk").text
        #expect(PushSetup.serverKeys == [published.trimmingCharacters(in: .whitespacesAndNewlines)])
        #expect(try Document("Docs/Examples/Shared/PushSetup.swift").text.contains("throwaway"))
    }

    @Test func everyFileIsOneOfTheExample() throws {
        let folder = Document.project.appendingPathComponent("Docs/Examples").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(files.filter { $0.hasSuffix("Info.plist") }.count == Self.targets.count)
        #expect(files.filter { $0.hasSuffix(".entitlements") }.count == Self.targets.count)
        for file in files where file.hasSuffix(".swift") {
            let text = try Document("Docs/Examples/\(file)").text
            // Whoever copies them has no such settings.
            #expect(!text.contains("internal import") && !text.contains("public import"), "\(file)")
            let isEntry = text.split(separator: "\n").contains { $0.hasPrefix("@main") }
            #expect(!isEntry, "\(file)")
        }
    }
}
#endif
