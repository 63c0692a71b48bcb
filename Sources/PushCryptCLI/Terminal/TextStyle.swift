internal import Foundation

/// Colors and weights of text on a terminal (ECMA-48, SGR); the text alone if it has none.
struct TextStyle {
    let isColored: Bool

    func bold(_ text: String) -> String { styled(text, 1) }
    func red(_ text: String) -> String { styled(text, 31) }
    func green(_ text: String) -> String { styled(text, 32) }
    func yellow(_ text: String) -> String { styled(text, 33) }

    private func styled(_ text: String, _ code: Int) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension TextStyle {
    /// The style of standard output: a terminal displays colors, unless `NO_COLOR`
    /// (https://no-color.org) is set or `TERM` is `dumb`.
    static var ofStandardOutput: TextStyle { TextStyle(isColored: hasColors) }

    private static var hasColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1
            && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
