internal import Foundation
internal import PushCryptSender

/// The checks of the clock from which a list of accepted keys gets its number.
struct ListClock {
    let now: Date

    /// The last change of the root's keyring.
    let lastChange: Date

    /// The last list of the root; `nil` for the first one.
    let last: SignerList?

    /// A Boolean value that indicates whether the operator has vouched for the clock.
    let isRight: Bool

    /// Throws if the clock is probably wrong, and warns of a last list from the future.
    func check() throws(PushCryptError) {
        // Without a last list, the number comes from the clock alone.
        guard last != nil || now > lastChange.addingTimeInterval(-48 * 3600) else {
            throw PushCryptError(
                .staleSignerList,
                """
                The clock is earlier than the root's keys, so the list would have a lower number than an earlier one. \
                Correct the clock.
                """)
        }
        // With a clock that is years ahead, the list would use up the numbers of its root.
        let known = max(lastChange, last?.issued ?? lastChange)
        guard isRight || now < known.addingTimeInterval(2 * 365 * 24 * 3600) else {
            throw PushCryptError(
                .staleSignerList,
                """
                The clock is more than two years later than the root's keys and its last list. If it's wrong, no \
                device takes a later list. Correct it, or add '--clock-is-right'.
                """)
        }
        if let last, last.issued > now.addingTimeInterval(48 * 3600) {
            let day = last.issued.isoDay
            Output.warning(
                "the last list was signed on \(day), by a clock that was ahead, or this clock is wrong. Keep its "
                    + "file: a device takes a list only if its number is higher")
        }
    }
}
