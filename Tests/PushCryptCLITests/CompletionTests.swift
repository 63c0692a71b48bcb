import PushCryptLint
import PushCryptTesting
import Testing

/// The completions of the values of options and arguments; `Tests/Completions/run` types them in
/// shells.
@Suite(.toolThreads) struct CompletionTests {
    /// An option with a value, or an argument.
    private struct Value {
        let command: String
        /// The long option; for an argument, the name of its value.
        let name: String
        let valueName: String
        /// The completion of the value: `file`, `directory`, or the words of a list; `nil` for any
        /// text.
        let completion: String?

        init?(_ info: JSONValue, command: String) {
            guard let valueName = info["valueName"]?.stringValue, info["kind"] != "flag" else {
                return nil
            }
            let kind = info["completionKind"]
            let words = kind?["list"]?["values"]?.arrayValue?.compactMap(\.stringValue)
            self.command = command
            self.valueName = valueName
            name =
                info["names"]?.arrayValue?.last?["name"]?.stringValue.map { "--\($0)" } ?? valueName
            completion = words?.joined(separator: " ") ?? kind?.objectValue?.first?.key
        }
    }

    /// The values of the only dump, which takes the parser half a second in a debug build.
    private static let dumped = Result {
        let dump = try JSONValue(parsing: Array(try Tool().run("--experimental-dump-help").output))
        return Self.values(of: try #require(dump["command"]), path: []).filter {
            $0.command != "help"
        }
    }

    private let values: [Value]

    init() throws {
        values = try Self.dumped.get()
    }

    private static func values(of command: JSONValue, path: [String]) -> [Value] {
        let own = (command["arguments"]?.arrayValue ?? []).compactMap {
            Value($0, command: path.joined(separator: " "))
        }
        return (command["subcommands"]?.arrayValue ?? []).reduce(own) { values, subcommand in
            values
                + Self.values(
                    of: subcommand, path: path + [subcommand["commandName"]?.stringValue ?? ""])
        }
    }

    @Test("Every value that can be a file completes to file names") func filesAreCompleted() {
        let files = values.filter { ["file", "input", "keyring", "list"].contains($0.valueName) }
        #expect(files.count > 40)
        for value in files { #expect(value.completion == "file", "\(value)") }
        let keys = values.filter { ["--to", "--signed-by"].contains($0.name) }
        #expect(keys.map(\.command) == ["registration", "seal", "open", "preview", "xcode write"])
        for value in keys { #expect(value.completion == "file", "\(value)") }
    }

    @Test("Every directory completes to directories") func directoriesAreCompleted() {
        let directories = values.filter { $0.valueName == "directory" }
        #expect(directories.map(\.name) == ["--attachments", "directory", "--output", "directory"])
        for value in directories { #expect(value.completion == "directory", "\(value)") }
    }

    @Test(
        "Every list of values is offered",
        arguments: [
            "--use": "enc sig", "--padding": "buckets maximum none",
            "--truncate": "title subtitle body",
            "--type": PushType.sealable.map(\.rawValue).joined(separator: " "),
            "--expose": ExposedKey.allCases.map(\.rawValue).joined(separator: " "),
            "--ignore": Rule.all.map(\.id.rawValue).joined(separator: " "), "--priority": "10 5 1",
            "--port": "443 2197",
        ])
    func listsAreOffered(name: String, words: String) {
        let found = values.filter { $0.name == name && $0.command != "testserver" }
        #expect(!found.isEmpty)
        for value in found { #expect(value.completion == words, "\(value)") }
    }

    @Test("Only free texts, numbers and the IDs of keys complete to nothing")
    func onlyTextsCompleteToNothing() {
        let names = Set(values.filter { $0.completion == nil }.map(\.valueName))
        #expect(
            names == [
                "age", "command", "group", "host", "id", "key", "name", "number", "period", "text",
                "time", "token", "topic", "url",
            ])
        let keys = values.filter { $0.completion == nil && $0.valueName == "key" }.map(\.name)
        #expect(
            Set(keys) == [
                "key", "--leaked", "--placeholder-loc-key", "--placeholder-title-loc-key",
            ])
    }
}
