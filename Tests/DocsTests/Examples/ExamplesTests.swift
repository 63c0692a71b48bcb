// The examples are compiled against stand-ins, which Apple's platforms do not need.
#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptTesting
import Testing

/// The examples' files fit together, so that whoever copies all of them has to change names alone.
@Suite struct ExamplesTests {
    private static let targets = ["App", "NotificationService", "NotificationContent"]

    private func plist<List: Decodable>(_ path: String, as type: List.Type) throws -> List {
        try PropertyListDecoder().decode(type, from: Data(try Document("Docs/Examples/\(path)").text.utf8))
    }

    @Test(arguments: targets) func everyTargetHasTheGroupsOfTheCode(target: String) throws {
        let entitlements = try plist("\(target)/\(target).entitlements", as: Entitlements.self)
        // The content extension only opens: it neither logs nor remembers.
        #expect(entitlements.appGroups == (target == "NotificationContent" ? nil : [PushSetup.appGroup]))
        #expect(entitlements.keychainGroups.count == 1)
        let shared = try #require(entitlements.keychainGroups.first)
        #expect(shared.hasPrefix("$(AppIdentifierPrefix)"))
        // In code the team's id is written out, with the point that belongs to the prefix.
        #expect(PushSetup.accessGroup == shared.replacing("$(AppIdentifierPrefix)", with: "ABCDE12345."))
        #expect(entitlements.environment == (target == "App" ? "development" : nil))
        // Apple grants it on request only; with it in the file and not in the profile nothing can be signed.
        #expect(entitlements.isFiltering == nil)
    }

    @Test(arguments: [
        ("NotificationService", "com.apple.usernotifications.service", "NotificationService"),
        ("NotificationContent", "com.apple.usernotifications.content-extension", "NotificationViewController"),
    ])
    func anExtensionNamesItsPointAndItsClass(target: String, point: String, type: String) throws {
        let info = try plist("\(target)/Info.plist", as: ExtensionInfo.self).extension
        #expect(info.point == point)
        #expect(info.principalClass == "$(PRODUCT_MODULE_NAME).\(type)")
        // Apple: the two exclude each other.
        #expect(info.storyboard == nil)
        #expect(try Document("Docs/Examples/\(target)/\(type).swift").text.contains("class \(type): "))
    }

    @Test func theAppHasTheBackgroundModeThatItsDelegateNeeds() throws {
        let info = try plist("App/Info.plist", as: [String: [String]].self)
        #expect(info == ["UIBackgroundModes": ["remote-notification"]])
    }

    @Test func lintReadsTheContentExtension() throws {
        let text = try Document("Docs/Examples/NotificationContent/Info.plist").text
        let read = try ContentExtension(parsing: text.utf8)
        #expect(read.categories == ["MESSAGE"])
        #expect(read.initialContentSizeRatio == 0.5)
        #expect(read.isDefaultContentHidden == true)
        #expect(read.isUserInteractionEnabled == false)
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

    private struct Entitlements: Decodable {
        let appGroups: [String]?
        let keychainGroups: [String]
        let environment: String?
        let isFiltering: Bool?

        enum CodingKeys: String, CodingKey {
            case appGroups = "com.apple.security.application-groups"
            case keychainGroups = "keychain-access-groups"
            case environment = "aps-environment"
            case isFiltering = "com.apple.developer.usernotifications.filtering"
        }
    }

    private struct ExtensionInfo: Decodable {
        let `extension`: Extension

        struct Extension: Decodable {
            let point: String
            let principalClass: String
            let storyboard: String?

            enum CodingKeys: String, CodingKey {
                case point = "NSExtensionPointIdentifier"
                case principalClass = "NSExtensionPrincipalClass"
                case storyboard = "NSExtensionMainStoryboard"
            }
        }

        enum CodingKeys: String, CodingKey {
            case `extension` = "NSExtension"
        }
    }
}
#endif
