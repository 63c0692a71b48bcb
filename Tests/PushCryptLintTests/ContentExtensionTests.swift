import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of the `Info.plist` of a notification content extension.
@Suite struct ContentExtensionTests {
    private static let point =
        "<key>NSExtensionPointIdentifier</key>"
        + "<string>com.apple.usernotifications.content-extension</string>"
    private static let category = "<key>UNNotificationExtensionCategory</key>"

    private static func plist(_ attributes: String, point: String = point) -> [UInt8] {
        ContentExtensionFile.xml(
            "<key>NSExtension</key><dict>\(point)<key>NSExtensionAttributes</key><dict>\(attributes)</dict></dict>"
        )
    }

    private func reason(_ file: [UInt8]) -> String? {
        do throws(PushCryptError) {
            _ = try ContentExtension(parsing: file)
            return nil
        } catch {
            #expect(error.code == .malformedPropertyList)
            return error.reason
        }
    }

    @Test("All members are parsed")
    func allMembers() throws {
        let content = try ContentExtension(
            parsing: Self.plist(
                """
                \(Self.category)<array><string>MESSAGE</string><string>CALL</string></array>
                <key>UNNotificationExtensionInitialContentSizeRatio</key><real>0.5</real>
                <key>UNNotificationExtensionDefaultContentHidden</key><true/>
                <key>UNNotificationExtensionUserInteractionEnabled</key><false/>
                <key>UNNotificationExtensionOverridesDefaultTitle</key><true/>
                """))
        #expect(content.categories == ["MESSAGE", "CALL"])
        #expect(content.initialContentSizeRatio == 0.5)
        #expect(content.isDefaultContentHidden == true)
        #expect(content.isUserInteractionEnabled == false)
    }

    @Test("A single category may be a string")
    func singleCategory() throws {
        let content = try ContentExtension(
            parsing: Self.plist("\(Self.category)<string>MESSAGE</string>"))
        #expect(content.categories == ["MESSAGE"])
        #expect(content.initialContentSizeRatio == nil)
        #expect(content.isDefaultContentHidden == nil && content.isUserInteractionEnabled == nil)
    }

    @Test("The ratio may be an integer")
    func integerRatio() throws {
        let ratio = "<key>UNNotificationExtensionInitialContentSizeRatio</key><integer>1</integer>"
        let content = try ContentExtension(parsing: Self.plist("\(Self.category)<array/>\(ratio)"))
        #expect(content.initialContentSizeRatio == 1)
        #expect(content.categories == [])
    }

    @Test("The error for a binary file says how to convert it")
    func binaryFile() throws {
        let list: [String: Any] = [
            "CFBundleName": "Content",
            "NSExtension": [
                "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
                "NSExtensionAttributes": [
                    "UNNotificationExtensionCategory": ["MESSAGE"],
                    "UNNotificationExtensionDefaultContentHidden": true,
                ],
            ],
        ]
        let file = Array(
            try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        #expect(file.starts(with: "bplist".utf8))
        let error = #expect(throws: PushCryptError.self) { _ = try ContentExtension(parsing: file) }
        #expect(error?.code == .malformedPropertyList)
        #expect(error?.reason.contains("plutil -convert xml1") == true)
    }

    @Test("The extension point may be missing")
    func missingPoint() throws {
        // The extensions of Xcode's templates have it.
        let content = try ContentExtension(
            parsing: Self.plist("\(Self.category)<string>MESSAGE</string>", point: ""))
        #expect(content.categories == ["MESSAGE"])
    }

    @Test(
        "The file of another extension is an error",
        arguments: [
            "com.apple.usernotifications.service", "com.apple.usernotifications.content-extension2",
            "",
        ])
    func anotherExtension(point: String) {
        let file = Self.plist(
            "\(Self.category)<string>MESSAGE</string>",
            point: "<key>NSExtensionPointIdentifier</key><string>\(point)</string>")
        #expect(reason(file)?.contains("another extension") == true)
    }

    @Test(
        "The error names the wrong member",
        arguments: [
            ("", "NSExtension is missing"),
            ("<key>NSExtension</key><dict/>", "NSExtensionAttributes is missing"),
            (
                "<key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict/></dict>",
                "UNNotificationExtensionCategory is missing"
            ),
            ("<key>NSExtension</key><string>zq</string>", "NSExtension has another type"),
            (
                "<key>NSExtension</key><dict><key>NSExtensionAttributes</key><array/></dict>",
                "NSExtensionAttributes has another type"
            ),
            (
                "<key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><true/></dict>",
                "NSExtensionPointIdentifier has another type"
            ),
        ])
    func missingMember(_ members: String, _ what: String) throws {
        let reason = try #require(self.reason(ContentExtensionFile.xml(members)))
        #expect(reason.contains(what))
        #expect(!reason.contains("zq"))
    }

    @Test(
        "A value of another type is an error",
        arguments: [
            "\(category)<integer>1</integer>", "\(category)<dict/>", "\(category)<true/>",
            "\(category)<array><string>zq</string><integer>2</integer></array>",
            "\(category)<array/><key>UNNotificationExtensionInitialContentSizeRatio</key><string>zq</string>",
            "\(category)<array/><key>UNNotificationExtensionDefaultContentHidden</key><string>YES</string>",
            "\(category)<array/><key>UNNotificationExtensionUserInteractionEnabled</key><integer>2</integer>",
        ])
    func wrongType(attributes: String) throws {
        let reason = try #require(self.reason(Self.plist(attributes)))
        #expect(reason.contains("isn't the Info.plist of a content extension"))
        #expect(!reason.contains("zq"))
    }

    @Test(
        "Other text is an error",
        arguments: [
            "", "{}", #"{"NSExtension":{}}"#, "zq", "<plist>", "<?xml version=\"1.0\"?>",
            "bplist00", "\u{0}\u{1}",
            "<plist version=\"1.0\"><dict><key>NSExtension</key></dict></plist>",
            "<plist version=\"1.0\"><array/></plist>",
            "<plist version=\"1.0\"><string>zq</string></plist>",
        ])
    func notAPropertyList(text: String) throws {
        let reason = try #require(self.reason(Array(text.utf8)))
        #expect(!reason.contains("zq"))
    }

    @Test("No bytes crash the parser")
    func randomBytes() throws {
        let xml = Self.plist("\(Self.category)<array><string>A</string></array>")
        let binary = Array(
            try PropertyListSerialization.data(
                fromPropertyList: [
                    "NSExtension": [
                        "NSExtensionAttributes": ["UNNotificationExtensionCategory": ["A"]]
                    ]
                ],
                format: .binary, options: 0))
        var random = PayloadMutations(seed: 0x915)
        for file in [xml, binary] {
            for length in 0..<file.count { _ = reason(Array(file[..<length])) }
            for _ in 0..<1000 {
                var changed = file
                random.changeBytes(of: &changed)
                _ = reason(changed)
            }
        }
    }
}
