internal import ArgumentParser
internal import Foundation

/// A number and a unit, as in `90s`, `15m`, `12h` or `7d`.
enum Period {
    private static let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3600, "d": 24 * 3600]

    /// Returns the seconds.
    static func seconds(_ argument: String) throws -> TimeInterval {
        guard let unit = argument.last.flatMap({ units[$0] }), argument.first != "+",
            let number = UInt32(argument.dropLast())
        else {
            throw ValidationError("Give a number and a unit: 90s, 15m, 12h or 7d.")
        }
        return TimeInterval(number) * unit
    }
}
