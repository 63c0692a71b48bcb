import Foundation
import Testing

/// A text file of the project.
struct Document {
    /// The text.
    let text: String

    /// The directory of the project.
    static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The paths of all pages.
    static let pages: [String] = {
        let docs = try? FileManager.default.contentsOfDirectory(atPath: project.path + "/Docs")
        return ["README.md", "Keys/README.md", "Tests/Vectors/README.md"]
            + (docs ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Docs/" + $0 }
    }()

    /// Reads a file by its path in the project.
    init(_ path: String) throws {
        text = String(
            decoding: try Data(contentsOf: Self.project.appendingPathComponent(path)), as: UTF8.self
        )
    }

    /// Expects that a page has this text, or writes the text if `.ci/tables` runs the tests.
    static func expect(_ path: String, has text: String) throws {
        if ProcessInfo.processInfo.environment["PUSHCRYPT_WRITE_PAGES"] == "1" {
            try text.write(
                to: project.appendingPathComponent(path), atomically: true, encoding: .utf8)
        } else {
            let isCurrent = try Document(path).text == text
            #expect(isCurrent, "\(path) isn't current. Run .ci/tables.")
        }
    }

    /// Returns the contents of the fenced blocks of a language, in order.
    func blocks(_ language: String) -> [String] {
        text.split(separator: "\n```", omittingEmptySubsequences: false).compactMap { part in
            part.hasPrefix("\(language)\n") ? String(part.dropFirst(language.count + 1)) : nil
        }
    }

    /// Returns whether the file contains lines, with any indentation.
    func contains(lines: String) -> Bool {
        stride(from: 0, through: 16, by: 4).contains { count in
            let indentation = String(repeating: " ", count: count)
            let indented = lines.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n")
            return "\n\(text)\n".contains("\n\(indented)\n")
        }
    }

    /// Returns the cells of the rows of a table without its head; an empty array if the table
    /// doesn't exist.
    func table(_ head: String) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.firstIndex(where: { $0 == "| \(head) |" }) else { return [] }
        return lines[(first + 2)...].prefix { $0.hasPrefix("| ") }.map { line in
            line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
        }
    }
}

extension String {
    /// The text of the first pair of backquotes; `nil` without a pair.
    var quoted: String? {
        let parts = split(separator: "`", omittingEmptySubsequences: false)
        return parts.count >= 3 ? String(parts[1]) : nil
    }
}
