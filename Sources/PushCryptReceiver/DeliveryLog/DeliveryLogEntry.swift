public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What became of one notification.
public struct DeliveryLogEntry: Sendable, Hashable {
    /// How it ended.
    public enum Outcome: UInt8, Sendable, Hashable, CaseIterable {
        /// The extension has begun and has not said how it ended: it was killed, or is still at it.
        case unfinished
        /// The original is shown.
        case opened
        /// The payload was not sealed, and is shown as it is, because the app allows that.
        case plaintext
        /// The fallback is shown.
        case fallback
        /// The extension did not run: the app has found the notification delivered, and nothing here about it.
        case notRun
    }

    /// How it ended.
    public let outcome: Outcome

    /// When the extension has begun with it, or, where it did not run, when the system has delivered it.
    public let began: Date

    /// When the content was handed over, or the app has found it; `nil` where it is unfinished.
    public let ended: Date?

    /// Why the fallback is shown, or what else went wrong: `replayGuardUnavailable` where a message was opened without its
    /// guard.
    public let reason: PushCryptError.Code?

    /// The id of the key that the message was sealed to, as far as it says so.
    public let keyID: KeyID?

    /// A short hash of the sealed value, by which the app finds the entry of a notification.
    let fingerprint: Fingerprint?

    typealias Fingerprint = [UInt8]
}

extension DeliveryLogEntry.Outcome {
    init(_ outcome: NotificationOutcome) {
        switch outcome {
        case .opened: self = .opened
        case .plaintext: self = .plaintext
        case .fallback: self = .fallback
        }
    }
}

extension NotificationOutcome {
    /// The reason as it may be written down.
    ///
    /// A store's or guard's own error may have any text as its code, so only what looks like a code is kept.
    var loggedReason: PushCryptError.Code? {
        let code: PushCryptError.Code?
        switch self {
        case .opened(let push): code = push.replayGuardFailure?.code
        case .plaintext: code = nil
        case .fallback(let error): code = error.code
        }
        return code.map { DeliveryRecord.isCode($0) ? $0 : .other }
    }
}

extension PushCryptError.Code {
    /// What an outcome's reason is called in the log where it is no code of this library's kind.
    static let other = Self(rawValue: "other")
}

extension DeliveredNotification {
    /// A short hash of the sealed value; `nil` where there is none.
    var fingerprint: DeliveryLogEntry.Fingerprint? {
        guard let value = try? sealedValue.get(), let hash = try? SHA256.hash(value.text) else { return nil }
        return Array(hash.array.prefix(DeliveryRecord.fingerprintLength))
    }

    /// The id of the key that the sealed value names, which nobody has authenticated.
    var namedKeyID: KeyID? {
        guard let envelope = try? sealedValue.get().envelope() else { return nil }
        return try? Envelope.keyID(of: envelope)
    }
}
