public import Foundation
public import PushCryptCore

/// A message that has passed every other check, for a ``ReplayGuard``.
public struct GuardedMessage: Sendable {
    /// The message's ID.
    public let id: MessageID

    /// The name of the account whose key opened the message.
    public let account: String

    /// The time at which the message was issued, by its sender's clock.
    public let issuedAt: Date

    /// The time after which the message is rejected for its age.
    ///
    /// Afterwards, the guard may forget it.
    public let expiration: Date

    /// The date of delivery of a notification that the app opens again; `nil` if the message
    /// arrives now.
    ///
    /// If the guard recorded the message at about that time, the extension was ended before it
    /// displayed the text.
    public let deliveredAt: Date?

    private let keyCreation: @Sendable () -> Date?

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - id: The message's ID.
    ///   - account: The name of the account.
    ///   - issuedAt: The time at which the message was issued.
    ///   - expiration: The time after which the message is rejected for its age.
    ///   - deliveredAt: The date of an earlier delivery; `nil` if the message arrives now.
    ///   - keyCreation: Returns the time at which the message's key was created; `nil` if it's
    ///     unknown. It's called only if the guard needs it, and may read the key store.
    public init(
        id: MessageID, account: String = "", issuedAt: Date, expiration: Date,
        deliveredAt: Date? = nil,
        keyCreation: @escaping @Sendable () -> Date? = { nil }
    ) {
        self.id = id
        self.account = account
        self.issuedAt = issuedAt
        self.expiration = expiration
        self.deliveredAt = deliveredAt
        self.keyCreation = keyCreation
    }

    /// Returns a Boolean value that indicates whether the message is sealed to a key that was
    /// created since a date.
    ///
    /// No earlier message can be sealed to such a key, even if its sender's clock is wrong. Keys
    /// have their date in whole seconds.
    public func isSealedToKey(createdSince date: Date) -> Bool {
        keyAge().isNewer(than: date)
    }

    /// Asks the key store for the age of the message's key.
    func keyAge() -> KeyAge { KeyAge(creation: keyCreation()) }
}

/// The answer of a ``ReplayGuard`` to a message that it doesn't reject.
public struct ReplayGuardAnswer: Sendable, Hashable {
    private let name: String

    /// The message is new, and is recorded now.
    public static let new = Self(name: "new")

    /// The message was recorded within the hour before its arrival.
    ///
    /// Senders send again after a lost answer, so the push may be an honest double. An extension
    /// displays its text again, silently, and runs no code of the app for it.
    public static let repeated = Self(name: "repeated")
}
