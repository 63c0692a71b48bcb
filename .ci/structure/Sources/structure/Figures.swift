import SwiftSyntax

/// The figures of a directory, for a comparison of two commits.
///
/// They have no limits.
struct Figures {
    private let files: [SourceFile]

    init(of files: [SourceFile]) {
        self.files = files
    }

    /// The figures, one a line.
    var table: String {
        let functions = files.flatMap { structure.functions(in: $0) }
        let lines = files.flatMap(\.lines).map { $0.trimmingPrefix(while: \.isWhitespace) }.filter { !$0.isEmpty }
        let comments = lines.filter { $0.hasPrefix("//") }
        let code = lines.filter { !$0.hasPrefix("//") }
        let all = files.map(\.lines.count).sorted()
        let lengths = functions.map(\.lineCount).sorted()
        let columns = files.flatMap(\.lines).filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
            .map(\.count)
        let long = columns.count { (100...120).contains($0) }
        let violations = structure.violations(in: files)
        func count(_ gate: Gate) -> Int { violations.count { $0.gate == gate } }
        let rows: [(String, String)] = [
            ("files", "\(files.count)"),
            ("lines", "\(all.reduce(0, +))"),
            ("code lines", "\(code.count)"),
            ("comment lines", "\(comments.count)"),
            ("comments, % of lines with text", percent(comments.count, lines.count)),
            ("public declarations", "\(modifiers("public") + modifiers("open"))"),
            ("package declarations", "\(modifiers("package"))"),
            ("lines of a file: median, 90 %, most", parts(all)),
            ("functions", "\(functions.count)"),
            ("lines of a function: median, 90 %, most", parts(lengths)),
            ("functions of more than 40 lines", "\(count(.functionLength))"),
            ("functions of more than 5 parameters, no defaults", "\(count(.parameters))"),
            ("functions of more than 2 unlabelled parameters", "\(count(.unlabelledParameters))"),
            ("functions of nesting above 4", "\(count(.nesting))"),
            ("tuples assigned or stored", "\(count(.tuples))"),
            ("bodies of several statements on one line", "\(functions.count(where: \.isSqueezed))"),
            ("columns of a code line, trimmed", tenths(code.map(\.count).reduce(0, +), code.count)),
            ("code lines of 100 to 120 columns, by 1,000", tenths(1000 * long, code.count)),
            ("lines of more than 120 columns", "\(count(.columns))"),
            ("closures that spell their typed throws", "\(code.count { $0.contains("throws(PushCryptError) in") })"),
            ("documentation that names a hidden code", "\(count(.hiddenCode))"),
            ("codes that are written as strings", "\(count(.writtenCode))"),
        ]
        return rows.map { "|\($0.0)|\($0.1)|" }.joined(separator: "\n")
    }

    private func modifiers(_ word: String) -> Int {
        files.flatMap(\.lines).count {
            let line = $0.trimmingPrefix(while: \.isWhitespace)
            return line.hasPrefix(word + " ") && !line.hasPrefix(word + " import ")
        }
    }

    private func parts(_ sorted: [Int]) -> String {
        "\(part(sorted, 50)), \(part(sorted, 90)), \(part(sorted, 100))"
    }

    private func part(_ sorted: [Int], _ percent: Int) -> Int {
        sorted.isEmpty ? 0 : sorted[min(sorted.count * percent / 100, sorted.count - 1)]
    }

    private func percent(_ count: Int, _ total: Int) -> String {
        tenths(100 * count, total)
    }

    private func tenths(_ count: Int, _ total: Int) -> String {
        let value = total == 0 ? 0 : (10 * count + total / 2) / total
        return "\(value / 10).\(value % 10)"
    }
}
