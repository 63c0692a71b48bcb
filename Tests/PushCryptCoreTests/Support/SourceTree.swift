import Foundation

/// The sources of the package, for tests of rules about them.
enum SourceTree {
    /// The folder `Sources`.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path

    /// Every Swift file, by its path under `Sources`.
    static let files: [String] = (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".swift") }.sorted()

    /// What a file says.
    static func text(of file: String) -> String {
        FileManager.default.contents(atPath: root + "/" + file).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The code of every file, as `code(in:)` has it.
    private static let codes = Dictionary(uniqueKeysWithValues: files.map { ($0, code(in: text(of: $0))) })

    /// The code of a file.
    static func code(of file: String) -> String {
        codes[file] ?? ""
    }

    /// The modules that a file imports.
    static func imports(of file: String) -> [String] {
        code(of: file).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").drop { $0 != "import" }.dropFirst()
            let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "let", "var", "typealias"]
            return words.first { !kinds.contains($0) }?.split(separator: ".").first.map(String.init)
        }
    }

    /// Swift without comments and without what stands in string literals.
    ///
    /// Code in an interpolation counts as a part of the literal.
    static func code(in text: String) -> String {
        let bytes = Array(text.utf8)
        var code: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if has("//", bytes, position) {
                position = end("\n", bytes, from: position)
                code += "\n".utf8
            } else if has("/*", bytes, position) {
                position = end("*/", bytes, from: position + 2)
                code += "\n".utf8
            } else if let quotes = opening(bytes, position) {
                let start = position + quotes.hashes.utf8.count + quotes.marks.utf8.count
                position = endOfLiteral(bytes, from: start, quotes.marks, quotes.hashes)
                code += "\"\"".utf8
            } else {
                code.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: code, as: UTF8.self)
    }

    private static func has(_ text: String, _ bytes: [UInt8], _ position: Int) -> Bool {
        bytes.count - position >= text.utf8.count && zip(text.utf8, bytes[position...]).allSatisfy { $0 == $1 }
    }

    private static func end(_ text: String, _ bytes: [UInt8], from start: Int) -> Int {
        let place = (start..<bytes.count).first { has(text, bytes, $0) }
        return place.map { $0 + text.utf8.count } ?? bytes.count
    }

    private static func opening(_ bytes: [UInt8], _ position: Int) -> (hashes: String, marks: String)? {
        guard bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "#") else { return nil }
        let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        let mark = ["\"\"\"", "\""].first { has($0, bytes, position + hashes) }
        return mark.map { (String(repeating: "#", count: hashes), $0) }
    }

    private static func endOfLiteral(_ bytes: [UInt8], from start: Int, _ marks: String, _ hashes: String) -> Int {
        var position = start
        while position < bytes.count {
            if has(marks + hashes, bytes, position) { return position + marks.utf8.count + hashes.utf8.count }
            position += has("\\" + hashes, bytes, position) ? 2 + hashes.utf8.count : 1
        }
        return position
    }
}
