import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI
@testable import PushCryptLint

/// The category, against the `Info.plist` of a notification content extension.
@Suite(.toolThreads, .thorough) struct LintInfoPlistTests {
    /// The form in which a property list declares categories.
    enum Declaration: CaseIterable {
        case string, array

        var plist: String {
            switch self {
            case .string: LintInfoPlistTests.string
            case .array: LintInfoPlistTests.array
            }
        }
    }

    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    /// Returns a property list in XML, with attributes in XML.
    private static func plist(_ attributes: String, point: String? = "content-extension") -> String
    {
        let identifier = point.map {
            "<key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.\($0)</string>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
            <key>CFBundleName</key><string>Content</string>
            <key>NSExtension</key><dict>\(identifier ?? "")
            <key>NSExtensionAttributes</key><dict>\(attributes)</dict></dict>
            </dict></plist>
            """
    }

    private static let category = "<key>UNNotificationExtensionCategory</key>"
    private static let string = plist("\(category)<string>ORDER</string>")
    private static let array = plist(
        "\(category)<array><string>MESSAGE</string><string>ORDER</string></array>")

    private func lint(_ plist: String, _ options: String...) throws -> Tool.Run {
        try tool.write(plist, to: "Info.plist")
        return try tool.run(
            all: ["lint", "--info-plist", "Info.plist"] + options, input: Self.payload(#""ORDER""#))
    }

    private static func payload(_ category: String?) -> String {
        let member = category.map { #","category":\#($0)"# } ?? ""
        return #"{"aps":{"alert":"a"\#(member)}}"#
    }

    /// Returns the lines that `lint` prints, without a process.
    private func findings(_ plist: String, _ category: String? = #""ORDER""#) throws -> String {
        let content = try ContentExtension(parsing: Array(plist.utf8))
        return LintReport.text(
            try Sealer(.anonymous).lint(
                json: Self.payload(category).utf8, contentExtension: content
            ).findings)
    }

    // MARK: The category

    @Test("A declared category gives no finding") func aDeclaredCategoryGivesNoFinding() throws {
        for plist in [Self.array, Self.plist("\(Self.category)<string>ORDER</string>", point: nil)]
        {
            #expect(try findings(plist).isEmpty)
        }
        let run = try lint(Self.string)
        #expect(run.status == 0 && run.output.isEmpty)
    }

    @Test(
        "Categories are case-sensitive", arguments: Declaration.allCases,
        ["Order", "order", "ORDEr"])
    func categoriesAreCaseSensitive(declaration: Declaration, name: String) throws {
        let text = try findings(declaration.plist, #""\#(name)""#)
        #expect(text.hasPrefix("error: aps.category: "))
        #expect(text.hasSuffix("[category-case]"))
    }

    @Test(
        "An undeclared category is an error", arguments: Declaration.allCases,
        ["secret", "ORDER ", ""])
    func anUndeclaredCategoryIsAnError(declaration: Declaration, name: String) throws {
        let text = try findings(declaration.plist, #""\#(name)""#)
        #expect(text.hasPrefix("error: aps.category: "))
        #expect(text.hasSuffix("[category-undeclared]"))
        #expect(!text.contains("secret"))
    }

    @Test("A missing category is a warning") func aMissingCategoryIsAWarning() throws {
        let text = try findings(Self.string, nil)
        #expect(text.hasPrefix("warning: aps.category: "))
        #expect(text.hasSuffix("[category-missing]"))
    }

    @Test("The category of a sealed payload may be sealed")
    func theCategoryOfASealedPayloadMayBeSealed() throws {
        let push = try Sealer(.anonymous)
            .seal(
                json: #"{"aps":{"alert":"a","category":"other"}}"#.utf8,
                for: TestKeys.device().publicKey)
        try tool.write(Self.string, to: "Info.plist")
        let run = try tool.run(
            "lint", "--info-plist", "Info.plist",
            input: String(decoding: push.payload, as: UTF8.self))
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        let exposed = String(decoding: push.payload, as: UTF8.self)
            .replacing(#""mutable-content":1"#, with: #""mutable-content":1,"category":"other""#)
        #expect(
            try tool.run("lint", "--info-plist", "Info.plist", input: exposed).text
                .hasSuffix("[category-undeclared]\n"))
    }

    @Test("An extension without categories opens for no category")
    func anExtensionMayHaveNoCategories() throws {
        let run = try lint(Self.plist("\(Self.category)<array/>"))
        #expect(run.status == 65 && run.text.hasSuffix("[category-undeclared]\n"))
    }

    // MARK: Its other keys

    @Test(
        "Notes explain the other keys",
        arguments: [
            (
                "UNNotificationExtensionInitialContentSizeRatio", "<real>0.5</real>",
                "0.5 times as high"
            ),
            (
                "UNNotificationExtensionInitialContentSizeRatio", "<integer>1</integer>",
                "1.0 times as high"
            ),
            ("UNNotificationExtensionDefaultContentHidden", "<true/>", "true: "),
            ("UNNotificationExtensionDefaultContentHidden", "<false/>", "false: "),
            ("UNNotificationExtensionUserInteractionEnabled", "<true/>", "true: "),
            ("UNNotificationExtensionUserInteractionEnabled", "<false/>", "false: "),
        ])
    func notesExplainTheOtherKeys(key: String, value: String, text: String) throws {
        let found = try findings(
            Self.plist("\(Self.category)<string>ORDER</string><key>\(key)</key>\(value)"))
        #expect(found.hasPrefix("note: \(key): "))
        #expect(found.contains(text))
        #expect(found.hasSuffix("[content-extension-detail]"))
        #expect(found.split(separator: "\n").count == 1)
    }

    @Test("All three are reported, without a location in the payload") func allThreeAreReported()
        throws
    {
        let keys = """
            \(Self.category)<string>ORDER</string><key>UNNotificationExtensionInitialContentSizeRatio</key><real>1.5</real>
            <key>UNNotificationExtensionDefaultContentHidden</key><true/>
            <key>UNNotificationExtensionUserInteractionEnabled</key><false/>
            """
        let run = try lint(Self.plist(keys), "--json")
        #expect(run.status == 0)
        let findings = try #require(
            try JSONValue(parsing: Array(run.output))["findings"]?.arrayValue)
        #expect(findings.count == 3)
        #expect(findings.allSatisfy { $0["severity"] == "note" && $0["pointer"] == nil })
    }

    // MARK: Other files

    /// Expects that the parser refuses a file without quoting its text.
    private func expectRefusal(
        _ file: some Sequence<UInt8>, _ comment: Comment, naming text: String? = nil
    ) {
        let error = #expect(throws: PushCryptError.self, comment) {
            try ContentExtension(parsing: Array(file))
        }
        #expect(error?.code == .malformedPropertyList, comment)
        #expect(error?.reason.contains("secret") == false, comment)
        if let text { #expect(error?.reason.contains(text) == true, comment) }
    }

    @Test("The tool names a file that isn't valid") func anInvalidFileIsNamed() throws {
        for text in ["", "<plist><dict><key>secret</key></dict></plist>", #"{"NSExtension":{}}"#] {
            let run = try lint(text)
            #expect(run.status == 65 && run.output.isEmpty, "\(text)")
            #expect(run.errors.hasPrefix("pushcrypt: error: Info.plist: "), "\(text)")
            #expect(run.errors.hasSuffix("[malformed-property-list]\n"), "\(text)")
            #expect(!run.errors.contains("secret"), "\(text)")
        }
    }

    @Test("The Info.plist of another extension is reported as such")
    func theFileOfAnotherExtensionIsRefused() throws {
        for point in ["service", "secret", ""] {
            expectRefusal(
                Self.plist("\(Self.category)<string>ORDER</string>", point: point).utf8, "\(point)",
                naming: "belongs to another extension")
        }
    }

    @Test(
        "Another property list is reported with the missing key",
        arguments: [
            (
                "<dict><key>CFBundleName</key><string>secret</string></dict>",
                "NSExtension is missing"
            ),
            ("<dict><key>NSExtension</key><dict/></dict>", "NSExtensionAttributes is missing"),
            ("<dict><key>NSExtension</key><string>secret</string></dict>", "NSExtension"),
            (
                "<dict><key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict/></dict></dict>",
                "UNNotificationExtensionCategory is missing"
            ),
            ("<array/>", "the root has another type"),
            ("<string>secret</string>", "the root has another type"),
            ("<dict/>", "NSExtension"),
        ])
    func anotherListIsReportedWithTheMissingKey(body: String, text: String) throws {
        expectRefusal("<plist version=\"1.0\">\(body)</plist>".utf8, "\(body)", naming: text)
    }

    @Test(
        "A value of another type is an error",
        arguments: [
            "\(category)<integer>1</integer>", "\(category)<dict/>", "\(category)<true/>",
            "\(category)<array><string>ORDER</string><integer>1</integer></array>",
            "\(category)<string>O</string><key>UNNotificationExtensionInitialContentSizeRatio</key><string>secret</string>",
            "\(category)<string>O</string><key>UNNotificationExtensionDefaultContentHidden</key><string>YES</string>",
            "\(category)<string>O</string><key>UNNotificationExtensionUserInteractionEnabled</key><integer>2</integer>",
        ])
    func aValueOfAnotherTypeIsAnError(attributes: String) throws {
        expectRefusal(Self.plist(attributes).utf8, "\(attributes)")
    }

    @Test("Broken XML is an error") func brokenXMLIsAnError() throws {
        let whole = Self.array
        for length in stride(from: 0, to: whole.count - 10, by: 37) {
            expectRefusal(whole.prefix(length).utf8, "\(length) characters")
        }
        for text in [
            "", " ", "<", "<plist>", "<plist><dict>", "</dict>", "<!DOCTYPE",
            "<plist><dict><key>a</key></dict></plist>",
            whole.replacing("</dict>", with: ""), whole.replacing("<string>", with: "<text>"),
            #"{"NSExtension":{}}"#,
        ] {
            expectRefusal(text.utf8, "\(text)")
        }
    }

    @Test("External entities are not fetched") func externalEntitiesAreNotFetched() throws {
        try tool.write("secret", to: "secret.txt")
        let path = tool.path("secret.txt")
        let text = Self.string
            .replacing(
                #"PUBLIC "-//Apple//DTD PLIST 1.0//EN""#,
                with: #"[<!ENTITY x SYSTEM "file://\#(path)">]"#
            )
            .replacing(#" "http://www.apple.com/DTDs/PropertyList-1.0.dtd""#, with: "")
            .replacing("ORDER", with: "&x;")
        #expect(text.contains("ENTITY"))
        let run = try lint(text)
        #expect(run.status == 65)
        #expect(!run.text.contains("secret"))
        #expect(!run.errors.contains("secret"))
    }

    @Test("Binary property lists and garbage are refused") func binaryListsAndGarbageAreRefused()
        throws
    {
        let attributes = ["UNNotificationExtensionCategory": ["MESSAGE", "ORDER"]]
        let list = ["NSExtension": ["NSExtensionAttributes": attributes]]
        let binary = try PropertyListSerialization.data(
            fromPropertyList: list, format: .binary, options: 0)
        expectRefusal(binary, "binary", naming: "plutil -convert xml1")
        for length in [8, 9, 40, binary.count - 32, binary.count - 1] {
            expectRefusal(binary.prefix(length), "\(length) bytes")
        }
        expectRefusal((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }, "noise")
        expectRefusal(Array("bplist00".utf8) + Array(repeating: 0xFF, count: 100), "ones")
        // An array that holds itself.
        expectRefusal(
            Array("bplist00".utf8) + [0xA1, 0x00, 8] + Array(repeating: 0, count: 6) + [1, 1]
                + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10],
            "a circle")
    }

    @Test(
        "Deep nesting is an error and not a crash",
        arguments: LongRun.cases(
            [("<array>", "</array>"), ("<dict><key>a</key>", "</dict>"), ("<plist>", "</plist>")],
            usually: 1))
    func deepNestingIsAnError(braces: (String, String)) throws {
        for depth in [100, 30_000] {
            let (opening, closing) = (
                String(repeating: braces.0, count: depth), String(repeating: braces.1, count: depth)
            )
            expectRefusal("<plist>\(opening)".utf8, "\(depth) levels without an end")
            expectRefusal("<plist>\(opening)<string/>\(closing)</plist>".utf8, "\(depth) levels")
        }
    }

    @Test("A missing file ends with status 1") func aMissingFileIs1() throws {
        for name in ["missing.plist", "."] {
            let run = try tool.run("lint", "--info-plist", name, input: #"{"aps":{"alert":"a"}}"#)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains(name))
        }
    }
}
