internal import Foundation

/// The width of the terminal, to which help is wrapped.
enum TerminalWidth {
    /// Keeps the help at 40 columns or more: ArgumentParser crashes at 26 or fewer.
    static func widenHelp() { unsafe setenv("COLUMNS", "\(max(columns, 40))", 1) }

    /// The width of the terminal in columns.
    static let columns: Int = {
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }),
            columns > 0
        {
            return columns
        }
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }()
}
