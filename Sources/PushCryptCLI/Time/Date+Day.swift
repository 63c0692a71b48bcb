internal import Foundation

extension Date {
    /// The day in UTC, such as `2026-01-31`.
    var isoDay: String { formatted(.iso8601.year().month().day()) }
}
