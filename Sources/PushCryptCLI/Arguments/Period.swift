internal import ArgumentParser
internal import Foundation

/// A number and a unit, as in `90s`, `15m`, `12h` or `7d`.
struct Period: ExpressibleByArgument {
    let seconds: TimeInterval

    private static let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3600, "d": 24 * 3600]

    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Self.units[$0] }), let number = UInt32(argument.dropLast()) else {
            return nil
        }
        seconds = TimeInterval(number) * unit
    }
}
