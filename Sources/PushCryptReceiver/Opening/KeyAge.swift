internal import Foundation
internal import PushCryptCore

/// The age of the key to which a message is sealed, after the key store was asked for it.
struct KeyAge: Sendable {
    /// The time at which the key was created; `nil` if the store doesn't know it.
    let creation: Date?

    /// Returns a Boolean value that indicates whether the key was created since a date, by whole
    /// seconds.
    ///
    /// No earlier message can be sealed to such a key, even if its sender's clock is wrong.
    func isNewer(than date: Date) -> Bool {
        creation.map { $0.secondsSince1970 >= date.secondsSince1970 } ?? false
    }
}
