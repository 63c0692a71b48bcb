import Foundation
import PushCryptLint
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// The tables of the pages that come from the code, as `.ci/tables` writes them.
@Suite(.serialized, .ownThread) struct GeneratedTableTests {
    /// A table between the comments `begin` and `end` with its name.
    enum Table: String, CaseIterable {
        case keys, exposed, codes

        var page: String {
            switch self {
            case .keys, .exposed: "Docs/Payloads.md"
            case .codes: "Docs/Diagnosis.md"
            }
        }

        func lines() throws -> [String] {
            switch self {
            case .keys: try table(["key", "value", "exposed by", "sets"], KeyTable.rows())
            case .exposed: try table(["key", "reveals", "without it"], ExposedKeyTable.rows())
            case .codes: try table(["code", "meaning", "who", "HTTP", "exit"], codes())
            }
        }

        /// Returns lines of Markdown without padding.
        private func table(_ head: [String], _ rows: [[String]]) -> [String] {
            ([head, head.map { _ in "---" }] + rows).map { "|\($0.joined(separator: "|"))|" }
        }

        private func codes() throws -> [[String]] {
            let pattern = #/public static let (\w+) = Self\(.*"(.+)"\)/#
            return try DeclaredCode.files.flatMap { file in
                try SourceComments("\(DeclaredCode.directory)/\(file)", pattern).map {
                    let error = PushCryptError(PushCryptError.Code(rawValue: $0.word), "")
                    return [
                        "`\($0.word)`", $0.comment, error.code.responsibility.description,
                        "\(PageTests.status(for: error))", "\(ExitStatus(error.code).rawValue)",
                    ]
                }
            }
        }
    }

    @Test("The table is what the code prints", arguments: Table.allCases)
    func tableIsCurrent(table: Table) throws {
        let text = try Document(table.page).text
        let (begin, end) = (
            "<!-- begin \(table.rawValue) -->\n", "<!-- end \(table.rawValue) -->\n"
        )
        let first = try #require(text.range(of: begin)?.upperBound)
        let last = try #require(text.range(of: end)?.lowerBound)
        let lines = try table.lines()
        #expect(lines.count > 8)
        let current = text[..<first] + "\n" + lines.joined(separator: "\n") + "\n\n" + text[last...]
        try Document.expect(table.page, has: String(current))
    }
}

/// The declarations of a source file, each with the first paragraph of its doc comment.
struct SourceComments {
    private let declarations: [(name: String, word: String, comment: String)]

    /// Finds the declarations that match a pattern with two groups.
    init(_ path: String, _ pattern: Regex<(Substring, Substring, Substring)>, paragraphs: Int = 1)
        throws
    {
        var declarations: [(String, String, String)] = []
        var comment: [Substring] = []
        for line in try Document(path).text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("///") {
                comment.append(line.dropFirst(3).drop { $0 == " " })
                continue
            }
            if let match = line.prefixMatch(of: pattern) {
                let text = comment.split(separator: "").prefix(paragraphs).joined().joined(
                    separator: " ")
                declarations.append(
                    (
                        String(match.output.1), String(match.output.2),
                        text.replacing("``", with: "`")
                    ))
            }
            comment = []
        }
        self.declarations = declarations
    }

    func map<Row>(_ row: ((name: String, word: String, comment: String)) throws -> Row) rethrows
        -> [Row]
    {
        try declarations.map(row)
    }
}

/// The keys that a sender can expose, with the sentences of their doc comments.
enum ExposedKeyTable {
    static func rows() throws -> [[String]] {
        let keys = try SourceComments(
            "Sources/PushCryptPayload/ExposedKey.swift",
            #/public static let (\w+) = Self\("(.*)"\)/#, paragraphs: 2)
        #expect(keys.map(\.word) == ExposedKey.allCases.map(\.rawValue))
        return try keys.map { key in
            let match = try #require(
                key.comment.firstMatch(of: #/It reveals (.+?)\. Without it (.+)\.$/#))
            return ["`.\(key.name)`", String(match.output.1), String(match.output.2)]
        }
    }
}
