internal import ArgumentParser
internal import Foundation

/// A number of at most nine digits and a unit, as in `90s`, `15m`, `12h` or `7d`.
enum Period {
    private static let units: [Character: TimeInterval] = [
        "s": 1, "m": 60, "h": 3600, "d": 24 * 3600,
    ]

    /// Returns the seconds of a period with at most nine digits.
    static func seconds(_ argument: String) throws -> TimeInterval {
        guard argument.wholeMatch(of: /[0-9]{1,9}[smhd]/) != nil,
            let unit = argument.last.flatMap({ units[$0] }),
            let number = UInt32(argument.dropLast())
        else {
            throw ValidationError("Give a number and a unit: 90s, 15m, 12h or 7d.")
        }
        return TimeInterval(number) * unit
    }
}
