import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing

// The examples are compiled against stand-ins.
#if !canImport(Darwin)
@testable import DocsExamples
#endif

/// The page about Xcode, with its commands and steps.
@Suite(.ownThread) struct XcodePageTests {
    private let page: Document

    init() throws {
        page = try Document("Docs/Xcode.md")
    }

    @Test(
        "The usual case has at most twelve steps in 15 minutes, and each file that they name is in the examples"
    )
    func usualCaseHasTwelveSteps() throws {
        let steps = page.text.matches(of: #/\n(\d+)\. /#).compactMap { Int($0.output.1) }
        #expect(steps == Array(1...12))
        let minutes = page.text.matches(of: #/\n\d+\. \((\d+) min\) /#).compactMap {
            Int($0.output.1)
        }
        #expect(minutes.count == steps.count && minutes.reduce(0, +) <= 15)
        #expect(page.text.contains("Their sum is \(minutes.reduce(0, +))."))
        let names = page.text.matches(of: #/`([\w\/-]+\.(?:plist|entitlements))`/#).map {
            String($0.output.1)
        }
        #expect(names.count >= 3)
        for name in names {
            #expect(
                FileManager.default.fileExists(
                    atPath: Document.project.path + "/Docs/Examples/" + name), "\(name)")
        }
    }

    #if !canImport(Darwin)
    @Test(
        "The command that the app logs seals a push that the simulator and Apple's console accept")
    func loggedCommandSealsAPush() async throws {
        let scratch = try Scratch()
        let device = try TestKeys.device()
        let request = RegistrationRequest(
            registration:
                #"{"created":1767225600,"generation":1,"key":\#(device.publicKey.jwk),"lifetime":604800}"#,
            deviceToken: "0a1b")
        #expect(try await AppServer.logging.register(request) == .accepted(date: nil))
        let code = try Document("Docs/Examples/App/AppServer.swift").text
        let logged = try #require(code.firstMatch(of: #/"""\n\s*(echo[^"]*"[\s\S]*?)\n\s*"""/#))
            .output.1
        let command = String(logged).replacing(#/\\\n\s*/#, with: "")
            .replacing(#"\(registration.registration)"#, with: request.registration)
        let project = URL(fileURLWithPath: scratch.path).appendingPathComponent("App")
        try FileManager.default.createDirectory(at: project, withIntermediateDirectories: false)
        let first = try #require(page.blocks("text").first).split(separator: "\n").prefix(3)
        let script = (first.map(String.init) + [command]).joined(separator: "\n")
        #expect(try Shell.run(script, in: project).status == 0)
        // The private keys aren't in the app's project.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: project.path) == ["sealed.json"])
        let sealed = try #require(
            FileManager.default.contents(atPath: project.path + "/sealed.json"))
        let push = try SystemDelivery.userInfo(sealed)
        #expect(Set(push.keys) == ["aps", "ENCRYPTED_DATA"])
        let server = try #require(scratch.contents(of: "server.jwk"))
        let opener = Opener(
            keys: InMemoryKeyStore([device]),
            senderPolicy: .signed(by: String(decoding: server, as: UTF8.self)))
        #expect(try PayloadReader(userInfo: push, opener: opener, unsealed: .reject).isOpened)
    }
    #endif

    @Test("The subsystems and the process of the page's log commands are those of the code")
    func logCommandsNameTheCode() throws {
        let library = try Document("Sources/PushCryptApple/Settings/SystemLog.swift").text
        #expect(library.contains(#"Logger(subsystem: "PushCrypt","#))
        let predicates = page.text.matches(of: #/--predicate (.+)/#).map { String($0.output.1) }
        let own = #""subsystem == 'PushCrypt'""#
        #expect(Set(predicates) == [own, #"'process == "NotificationService"'"#])
    }

    /// The part of a string catalog that the page uses.
    private struct Catalog: Decodable {
        struct Entry: Decodable {
            let extractionState: String
            let localizations: [String: Localization]
        }

        struct Localization: Decodable {
            let stringUnit: Unit
        }

        struct Unit: Decodable {
            let state: String
            let value: String
        }

        let sourceLanguage: String
        let strings: [String: Entry]
        let version: String
    }

    @Test("The string catalog has a text in each language for the key of the fallback")
    func catalogHasTheFallback() throws {
        let block = try #require(page.blocks("json").first)
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(block.utf8))
        #expect(catalog.version == "1.0" && catalog.sourceLanguage == "en")
        #expect(page.text.contains(#"key: "\#(catalog.strings.keys.joined())", in: "#))
        for entry in catalog.strings.values {
            #expect(
                entry.extractionState == "manual" && Set(entry.localizations.keys) == ["de", "en"])
            let units = entry.localizations.values.map(\.stringUnit)
            #expect(units.allSatisfy { $0.state == "translated" && !$0.value.isEmpty })
        }
    }

    @Test(
        "The first commands write the files of the examples, with the server's key, and the check accepts them",
        .enabled(
            if: FileManager.default.fileExists(
                atPath: Document.project.path + "/Sources/PushCryptCLI/Commands/XcodeCommand.swift")
        ))
    func firstCommandsWriteTheExamples() throws {
        let scratch = try Scratch()
        let project = URL(fileURLWithPath: scratch.path).appendingPathComponent("App")
        for directory in ["App", "NotificationService"] {
            try FileManager.default.createDirectory(
                at: project.appendingPathComponent(directory), withIntermediateDirectories: true)
        }
        // The template of Xcode's target.
        try Data("x".utf8).write(
            to: project.appendingPathComponent("NotificationService/NotificationService.swift"))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/pushcrypt", withDestinationPath: Document.project.path)
        let run = try Shell.run(
            try #require(page.blocks("text").first) + "\npushcrypt xcode check .", in: project)
        #expect(run.status == 0, "\(run.output)")
        let jwk = try #require(scratch.contents(of: "server.jwk"))
        let key = try #require(
            String(decoding: jwk, as: UTF8.self).firstMatch(of: #/"x":"([^"]+)"/#)
        ).output.1
        for file in try FileManager.default.subpathsOfDirectory(atPath: project.path)
        where file.contains(".") {
            let text = String(
                decoding: try Data(contentsOf: project.appendingPathComponent(file)), as: UTF8.self)
            // The page has an identifier of its own, from which the groups follow.
            let expected = try Document("Docs/Examples/\(file)").text
                .replacing("com.example.shared", with: "com.yourbank.App.shared")
                .replacing("com.example.app", with: "com.yourbank.App")
            #expect(text.replacing(key, with: "YOUR_SERVER_KEY") == expected, "\(file)")
        }
    }

    @Test("The extension has the settings of the page")
    func extensionHasTheSettings() {
        nonisolated func pushConfiguration() -> PushConfiguration {
            var configuration = PushConfiguration.infoPlist
            configuration.fallback = FallbackText(
                key: "NEW_MESSAGE", in: BundleStringTable.containingApp)
            return configuration
        }

        nonisolated class OwnNotificationService: SealedNotificationService {
            override var configuration: PushConfiguration { pushConfiguration() }
        }
        // The bundle of the tests doesn't have strings.
        #expect(OwnNotificationService().configuration.fallback == .standard)
    }

    @Test("The page's settings are those that the library reads")
    func settingsAreTheLibrarys() throws {
        let keys = page.table("key | value").compactMap(\.first?.quoted)
        let code = try Document("Sources/PushCryptApple/Settings/InfoPlist.swift").text
        #expect(
            Set(keys) == Set(code.matches(of: #/"(PushCrypt\w+)"/#).map { String($0.output.1) }))
    }

    @Test("The Info.plist entry for communication notifications is a property list")
    func activityTypesAreAPropertyList() throws {
        let article = "Sources/PushCryptApple/PushCryptApple.docc/CustomizingTheExtension.md"
        let entry = try #require(Document(article).blocks("xml").first)
        let list = try unsafe PropertyListSerialization.propertyList(
            from: Data("<plist version=\"1.0\"><dict>\(entry)</dict></plist>".utf8), format: nil)
        #expect(list as? [String: [String]] == ["NSUserActivityTypes": ["INSendMessageIntent"]])
    }
}
