import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The page about Xcode shows what is compiled, and names what is there.
@Suite struct XcodePageTests {
    private let page: Document

    init() throws {
        page = try Document("Docs/Xcode.md")
    }

    @Test func theCodeIsTheCodeThatIsCompiled() throws {
        let blocks = page.blocks("swift")
        #expect(blocks.first == (try Document.snippet("ExtensionSnippet")))
        #expect(Array(blocks.dropFirst()) == (try Document.snippets("XcodeSnippet")))
    }

    @Test func theTableHasWhatASubclassCanOverride() throws {
        let source = try Document("Sources/PushCryptApple/SealedNotificationService.swift").text
        let members = Set(source.matches(of: /\n    open (?:var|func) (\w+)/).map { String($0.output.1) })
        let named = page.table("override | default | what for").compactMap(\.first).flatMap { cell in
            cell.matches(of: /`(\w+)/).map { String($0.output.1) }
        }
        #expect(members.count == 14)
        #expect(Set(named) == members)
    }

    @Test func theFileForTheSimulatorIsThePayloadAndOneKey() throws {
        let scratch = try Scratch()
        let commands = page.blocks("text").flatMap { $0.split(separator: "\n").map(String.init) }
        let command = try #require(commands.first { $0.hasPrefix("sed ") })
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        scratch.write(push.payload, to: "sealed.json")
        #expect(try Shell.run(command, in: URL(fileURLWithPath: scratch.path)).status == 0)
        let made = try #require(scratch.contents(of: "push.apns"))
        let file = try #require(JSONSerialization.jsonObject(with: Data(made)) as? [String: Any])
        #expect(Set(file.keys) == ["Simulator Target Bundle", "aps", "ENCRYPTED_DATA"])
        #expect(file["Simulator Target Bundle"] as? String == "com.example.app")
        #expect(file["ENCRYPTED_DATA"] as? String != nil)
    }

    @Test func theKeysOfTheContentExtensionAreThoseOfTheExample() throws {
        let path = Document.project.appendingPathComponent("Docs/Examples/NotificationContent/Info.plist")
        let list = try unsafe PropertyListSerialization.propertyList(from: Data(contentsOf: path), format: nil)
        let info = try #require((list as? [String: Any])?["NSExtension"] as? [String: Any])
        let attributes = try #require(info["NSExtensionAttributes"] as? [String: Any])
        let rows = page.table("key | value | what it is")
        #expect(Set(rows.compactMap { $0.first?.quoted }) == Set(attributes.keys))
        for row in rows {
            let key = try #require(row.first?.quoted)
            let value = try #require(row.dropFirst().first?.quoted)
            switch attributes[key] {
            case let text as String: #expect(text == value)
            case let texts as [String]: #expect(texts == [value])
            case let number as NSNumber:
                #expect([number.stringValue, number.boolValue ? "true" : "false"].contains(value))
            default: Issue.record("\(key)")
            }
        }
    }
}
