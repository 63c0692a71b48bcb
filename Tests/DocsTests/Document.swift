import Foundation
import Testing

/// A page of the project, as its readers see it.
struct Document {
    let text: String

    /// The project's folder.
    static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Reads a page, by its path in the project.
    init(_ path: String) throws {
        text = String(decoding: try Data(contentsOf: Self.project.appendingPathComponent(path)), as: UTF8.self)
    }

    /// The contents of the fenced blocks of a language, in order.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var current: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```", let lines = current {
                blocks.append(lines.joined(separator: "\n"))
                current = nil
            } else if line == "```\(language)" {
                current = []
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// What stands between the marks of a snippet's source, without the indentation that all of it has.
    static func snippet(_ name: String) throws -> String {
        let source = try Document("Tests/DocsTests/Snippets/\(name).swift").text
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex { $0.hasSuffix("// begin") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("// end") })
        let indentation = lines[begin].prefix { $0 == " " }.count
        return lines[(begin + 1)..<end].map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
    }
}
