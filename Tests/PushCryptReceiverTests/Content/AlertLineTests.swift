import PushCryptTesting
import Testing

@testable import PushCryptReceiver

/// Title, subtitle and body, each a text or a key of the app's string table.
@Suite struct AlertLineTests {
    /// The lines of an alert and the names of their members.
    enum Line: CaseIterable {
        case title, subtitle, body

        var text: String { "\(self)" }
        var key: String { self == .body ? "loc-key" : "\(self)-loc-key" }
        var arguments: String { self == .body ? "loc-args" : "\(self)-loc-args" }

        func value(in content: NotificationContent) -> String {
            switch self {
            case .title: content.title
            case .subtitle: content.subtitle
            case .body: content.body
            }
        }
    }

    private static let strings = DictionaryStringTable([
        "plain": "Plain", "one": "From %@", "two": "%@ and %@", "places": "%2$@ before %1$@",
        "empty": "",
        "percent": "100 %% of %@", "bare": "%", "attack": "%s%n%x%p%d%99999999$@%*.*f%1$s",
        "again": "%1$@%1$@",
        "nested": "a%@b",
    ])

    /// Returns a line of an alert without other lines, as delivered and as opened.
    private func line(
        _ line: Line, key: String?, arguments: String? = nil, text: String? = nil,
        _ strings: (any StringTable)? = AlertLineTests.strings
    ) throws -> String {
        var members: [String: JSONValue] = [:]
        members[line.key] = key.map { .string($0) }
        members[line.text] = text.map { .string($0) }
        if let arguments {
            members[line.arguments] = try JSONValue(parsing: Array(#"{"a":\#(arguments)}"#.utf8))[
                "a"]
        }
        let payload: [String: JSONValue] = ["aps": ["alert": .object(members)]]
        let placeholder = NotificationContent(title: "p", subtitle: "p", body: "p")
        let opened = placeholder.replaced(by: payload, strings: strings)
        let delivered = NotificationContent(delivered: payload, strings: strings)
        for other in Line.allCases {
            #expect(other.value(in: opened) == other.value(in: delivered))
            if other != line {
                #expect(other.value(in: opened).isEmpty, "The other lines are empty.")
            }
        }
        return line.value(in: opened)
    }

    // MARK: Precedence

    @Test("A key in the table wins over the text", arguments: Line.allCases)
    func keyInTheTableWinsOverTheText(_ line: Line) throws {
        #expect(try self.line(line, key: "plain", text: "text") == "Plain")
        #expect(
            try self.line(line, key: "one", arguments: #"["Anna"]"#, text: "text") == "From Anna")
    }

    @Test("The text is used if the table doesn't have the key", arguments: Line.allCases)
    func textIsUsedIfTheTableDoesntHaveTheKey(_ line: Line) throws {
        #expect(
            try self.line(line, key: "missing", arguments: #"["Anna"]"#, text: "text") == "text")
        #expect(try self.line(line, key: "plain", text: "text", nil) == "text")
        #expect(
            try self.line(line, key: nil, arguments: #"["Anna"]"#, text: "text %@") == "text %@")
        #expect(
            try self.line(line, key: "empty", text: "text") == "text",
            "An empty string counts as missing.")
    }

    @Test("The key is used if the text is missing", arguments: Line.allCases)
    func keyIsUsedIfTheTextIsMissing(_ line: Line) throws {
        #expect(try self.line(line, key: "missing") == "missing")
        #expect(try self.line(line, key: "missing %@", arguments: #"["Anna"]"#) == "missing %@")
        #expect(try self.line(line, key: "plain", text: "", nil) == "plain")
        #expect(try self.line(line, key: "empty") == "empty")
    }

    @Test("The line is empty without key and text", arguments: Line.allCases)
    func lineIsEmptyWithoutKeyAndText(_ line: Line) throws {
        #expect(try self.line(line, key: nil).isEmpty)
        #expect(try self.line(line, key: "", text: "").isEmpty)
        #expect(try self.line(line, key: nil, arguments: #"["Anna"]"#).isEmpty)
        // The empty key isn't looked up.
        let strange = DictionaryStringTable(["": "evil"])
        #expect(try self.line(line, key: "", text: "text", strange) == "text")
        #expect(try self.line(line, key: nil, strange).isEmpty)
    }

    @Test("A bare string is the body") func bareStringIsTheBody() {
        let content = NotificationContent(
            delivered: ["aps": ["alert": "plain"]], strings: Self.strings)
        #expect([content.title, content.subtitle, content.body] == ["", "", "plain"])
    }

    // MARK: Arguments

    @Test("Arguments replace placeholders", arguments: Line.allCases)
    func argumentsReplacePlaceholders(_ line: Line) throws {
        #expect(try self.line(line, key: "two", arguments: #"["Anna","Bob"]"#) == "Anna and Bob")
        #expect(
            try self.line(line, key: "places", arguments: #"["Anna","Bob"]"#) == "Bob before Anna")
        #expect(try self.line(line, key: "percent", arguments: #"["it"]"#) == "100 % of it")
        #expect(try self.line(line, key: "one", arguments: #"["Anna","Bob"]"#) == "From Anna")
        #expect(try self.line(line, key: "again", arguments: #"["ha"]"#) == "haha")
    }

    @Test("A string without arguments isn't a format", arguments: Line.allCases)
    func stringWithoutArgumentsIsntAFormat(_ line: Line) throws {
        for arguments in [nil, "[]", "null", #""Anna""#, "{}"] {
            #expect(try self.line(line, key: "percent", arguments: arguments) == "100 %% of %@")
            #expect(try self.line(line, key: "bare", arguments: arguments) == "%")
        }
    }

    @Test("A placeholder without an argument stays", arguments: Line.allCases)
    func placeholderWithoutAnArgumentStays(_ line: Line) throws {
        #expect(try self.line(line, key: "two", arguments: #"["Anna"]"#) == "Anna and %@")
        #expect(try self.line(line, key: "places", arguments: #"["Anna"]"#) == "%2$@ before Anna")
    }

    @Test("A format only inserts arguments", arguments: Line.allCases)
    func formatOnlyInsertsArguments(_ line: Line) throws {
        let attack = "%s%n%x%p%d%99999999$@%*.*f%1$s"
        #expect(try self.line(line, key: "attack") == attack)
        #expect(try self.line(line, key: "attack", arguments: #"["a","b","c"]"#) == attack)
        // A sender's text is never a format: it comes as text or as a missing key.
        #expect(try self.line(line, key: nil, arguments: #"["a"]"#, text: attack) == attack)
        #expect(try self.line(line, key: attack, arguments: #"["a"]"#) == attack)
    }

    @Test("Arguments aren't formats or keys", arguments: Line.allCases)
    func argumentsArentFormatsOrKeys(_ line: Line) throws {
        #expect(
            try self.line(line, key: "two", arguments: #"["%@","%1$@%n%%"]"#) == "%@ and %1$@%n%%")
        #expect(
            try self.line(line, key: "nested", arguments: #"["plain"]"#) == "aplainb",
            "They aren't keys either.")
    }

    @Test(
        "Arguments are strings and integers",
        arguments: [
            (#"["a"]"#, "From a"), ("[7]", "From 7"), ("[-7]", "From -7"),
            ("[18446744073709551615]", "From 18446744073709551615"),
            (#"[""]"#, "From "), ("[null]", "From "), ("[true]", "From "), ("[1.5]", "From "),
            (#"[["a"]]"#, "From "),
            (#"[{"a":"b"}]"#, "From "),
        ])
    func argumentsAreStringsAndIntegers(arguments: String, text: String) throws {
        #expect(try line(.body, key: "one", arguments: arguments) == text)
    }

    // MARK: Types

    @Test(
        "A value that isn't a string is neither key nor text", arguments: Line.allCases,
        ["1", "null", "true", "[]", "{}", #"["plain"]"#, #"{"loc-key":"plain"}"#])
    func valueThatIsntAStringIsNeitherKeyNorText(line: Line, value: String) throws {
        for name in [line.key, line.text] {
            let json = #"{"aps":{"alert":{"\#(name)":\#(value)}}}"#
            let payload = try #require(try JSONValue(parsing: Array(json.utf8)).objectValue)
            #expect(
                line.value(in: NotificationContent(delivered: payload, strings: Self.strings))
                    .isEmpty)
        }
    }
}
