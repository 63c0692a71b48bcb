/// Returns the lines that are too long, comments included: swift-format checks code alone.
func columnViolations(in file: SourceFile) -> [Violation] {
    file.lines.enumerated().compactMap { index, line in
        guard line.count > Gate.maximumColumns else { return nil }
        return Violation(
            gate: .columns, path: file.path, line: index + 1,
            message: "The line has \(line.count) columns, at most \(Gate.maximumColumns)")
    }
}
