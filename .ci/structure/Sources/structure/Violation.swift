/// A gate that a declaration breaks.
struct Violation: CustomStringConvertible {
    let gate: Gate
    let path: String
    let line: Int
    /// The name of the declaration, and its figure.
    let message: String

    var description: String {
        "\(path):\(line): \(message) [\(gate.rawValue)]"
    }
}

/// The gates, by the names that a violation prints.
enum Gate: String, CaseIterable {
    case functionLength = "function-length"
    case nesting
    case parameters
    case unlabelledParameters = "unlabelled-parameters"
    case tuples
    case columns
    case hiddenCode = "hidden-code"
    case writtenCode = "written-code"

    static let maximumLines = 40
    static let maximumNesting = 4
    static let maximumParameters = 5
    static let maximumUnlabelledParameters = 2
    static let maximumColumns = 120
}

/// Returns what breaks a gate in some files.
func violations(in files: [SourceFile]) -> [Violation] {
    let codes = ErrorCodes(in: files)
    return files.flatMap { file in
        functionViolations(in: file) + tupleViolations(in: file) + columnViolations(in: file)
            + codes.violations(in: file) + writtenCodeViolations(in: file)
    }
}

/// Prints which gates the examples don't break, and returns `true` if they break all.
func checkExamples(_ files: [SourceFile]) -> Bool {
    let broken = violations(in: files)
    var passes = true
    for file in files {
        let expected = file.lines.indices.filter { file.lines[$0].contains("// breaks: ") }
        for index in expected {
            let gate = String(file.lines[index].split(separator: " ").last ?? "")
            // The comment is on the line before the declaration.
            let isBroken = broken.contains { $0.path == file.path && $0.line == index + 2 && $0.gate.rawValue == gate }
            if !isBroken {
                print("\(file.path):\(index + 2): doesn't break \(gate)")
                passes = false
            }
        }
        for violation in broken where violation.path == file.path {
            let comment = violation.line >= 2 ? file.lines[violation.line - 2] : ""
            if !comment.contains("// breaks: ") {
                print("\(violation) is a false alarm")
                passes = false
            }
        }
    }
    for gate in Gate.allCases where !broken.contains(where: { $0.gate == gate }) {
        print("No example breaks \(gate.rawValue).")
        passes = false
    }
    print("\(broken.count) violations in the examples, as they say")
    return passes
}
