import Foundation
import SwiftParser
import SwiftSyntax

/// A parsed file.
struct SourceFile {
    let path: String
    let lines: [Substring]
    let tree: SourceFileSyntax
    private let converter: SourceLocationConverter

    init(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        tree = Parser.parse(source: text)
        converter = SourceLocationConverter(fileName: path, tree: tree)
    }

    /// The files of a directory, in the order of their paths.
    static func all(in directory: String) throws -> [SourceFile] {
        guard let enumerator = FileManager.default.enumerator(atPath: directory) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        let names = enumerator.compactMap { $0 as? String }
        let files = try names.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted()
            .map { try SourceFile(path: directory + "/" + $0) }
        guard !files.isEmpty else { throw CocoaError(.fileReadNoSuchFile) }
        return files
    }

    /// The line of a position, from 1.
    func line(of position: AbsolutePosition) -> Int {
        converter.location(for: position).line
    }

    /// The number of lines of a node, from its first token to its last one.
    func lineCount(from first: AbsolutePosition, of node: some SyntaxProtocol) -> Int {
        line(of: node.endPositionBeforeTrailingTrivia) - line(of: first) + 1
    }
}
