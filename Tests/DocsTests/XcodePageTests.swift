import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The page about Xcode, with its commands and steps.
@Suite(.ownThread) struct XcodePageTests {
    private let page: Document

    init() throws {
        page = try Document("Docs/Xcode.md")
    }

    @Test("The usual case has at most twelve steps, and each file that they name is in the examples")
    func usualCaseHasTwelveSteps() throws {
        let steps = page.text.matches(of: #/\n(\d+)\. /#).compactMap { Int($0.output.1) }
        #expect(steps == Array(1...12))
        let names = page.text.matches(of: #/`([\w\/-]+\.(?:plist|entitlements))`/#).map { String($0.output.1) }
        #expect(names.count >= 3)
        for name in names {
            #expect(FileManager.default.fileExists(atPath: Document.project.path + "/Docs/Examples/" + name), "\(name)")
        }
    }

    @Test("The commands after the steps seal a push that the simulator and Apple's console accept")
    func commandsSealAPush() throws {
        let scratch = try Scratch()
        let blocks = page.blocks("text")
        let keygen = try #require(blocks.first?.split(separator: "\n").first)
        let device = try TestKeys.device().publicKey
        let x = try #require(device.jwk.firstMatch(of: #/"x":"([^"]+)"/#)).output.1
        let seal = try #require(blocks.first { $0.contains("THE_X") }).replacing("THE_X", with: x)
        let commands = seal.split(separator: "\n").filter { !$0.hasPrefix("xcrun ") }
        #expect(seal.contains("xcrun simctl push booted com.example.app sealed.json"))
        let project = URL(fileURLWithPath: scratch.path).appendingPathComponent("App")
        try FileManager.default.createDirectory(at: project, withIntermediateDirectories: false)
        #expect(try Shell.run(([keygen] + commands).joined(separator: "\n"), in: project).status == 0)
        // The private keys aren't in the app's project.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: project.path).sorted() == [
                "payload.json", "sealed.json",
            ])
        let sealed = try #require(FileManager.default.contents(atPath: project.path + "/sealed.json"))
        let push = try SystemDelivery.userInfo(sealed)
        #expect(Set(push.keys) == ["aps", "ENCRYPTED_DATA"])
        let server = try #require(scratch.contents(of: "server.jwk"))
        let opener = Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: String(decoding: server, as: UTF8.self)))
        #expect(try PayloadReader(userInfo: push, opener: opener, unsealed: .reject).isOpened)
    }

    @Test(
        "The first commands write the files of the examples, with the server's key, and the check accepts them",
        .enabled(
            if: FileManager.default.fileExists(
                atPath: Document.project.path + "/Sources/PushCryptCLI/Commands/XcodeCommand.swift")))
    func firstCommandsWriteTheExamples() throws {
        let scratch = try Scratch()
        let project = URL(fileURLWithPath: scratch.path).appendingPathComponent("App")
        for directory in ["App", "NotificationService"] {
            try FileManager.default.createDirectory(
                at: project.appendingPathComponent(directory), withIntermediateDirectories: true)
        }
        // The template of Xcode's target.
        try Data("x".utf8).write(to: project.appendingPathComponent("NotificationService/NotificationService.swift"))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/pushcrypt", withDestinationPath: Document.project.path)
        let run = try Shell.run(try #require(page.blocks("text").first) + "\npushcrypt xcode check .", in: project)
        #expect(run.status == 0, "\(run.output)")
        let jwk = try #require(scratch.contents(of: "server.jwk"))
        let key = try #require(
            String(decoding: jwk, as: UTF8.self).firstMatch(of: #/"x":"([^"]+)"/#)
        ).output.1
        for file in try FileManager.default.subpathsOfDirectory(atPath: project.path) where file.contains(".") {
            let text = String(decoding: try Data(contentsOf: project.appendingPathComponent(file)), as: UTF8.self)
            #expect(
                text.replacing(key, with: "YOUR_SERVER_KEY") == (try Document("Docs/Examples/\(file)").text), "\(file)")
        }
    }

    @Test("The page's settings are those that the library reads")
    func settingsAreTheLibrarys() throws {
        let keys = page.table("key | value").compactMap(\.first?.quoted)
        let code = try Document("Sources/PushCryptApple/InfoPlist.swift").text
        #expect(Set(keys) == Set(code.matches(of: #/"(PushCrypt\w+)"/#).map { String($0.output.1) }))
    }

    @Test("The Info.plist entry for communication notifications is a property list")
    func activityTypesAreAPropertyList() throws {
        let entry = try #require(page.blocks("xml").first)
        let list = try unsafe PropertyListSerialization.propertyList(
            from: Data("<plist version=\"1.0\"><dict>\(entry)</dict></plist>".utf8), format: nil)
        #expect(list as? [String: [String]] == ["NSUserActivityTypes": ["INSendMessageIntent"]])
    }
}
