/// Sets two texts side by side.
enum Columns {
    /// The lines of both texts, each column padded to its width.
    ///
    /// - Parameters:
    ///   - left: the left text, which is broken to its width.
    ///   - right: the right text, whose lines are as wide as they are.
    ///   - width: the left column's width.
    /// - Returns: the lines.
    static func sideBySide(_ left: String, _ right: String, width: Int) -> String {
        let leftLines = left.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            TextLayout.wrapped(String($0), width: width)
        }
        let rightLines = right.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (0..<max(leftLines.count, rightLines.count)).map { index in
            let one = index < leftLines.count ? leftLines[index] : ""
            let other = index < rightLines.count ? rightLines[index] : ""
            return other.isEmpty ? one : "\(TextLayout.padded(one, width: width))  \(other)"
        }.joined(separator: "\n")
    }
}
