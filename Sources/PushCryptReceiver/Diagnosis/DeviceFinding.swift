internal import PushCryptCore

/// A step between the server and the device that fails, as ``PushInbox/diagnose(_:account:)`` finds
/// it.
///
/// ```swift
/// for finding in await inbox.diagnose(DeviceToken(token)) {
///     print(finding)  // The app hasn't called register on this device. … [keys-missing]
/// }
/// ```
///
/// A finding contains no key, token, name or text of a notification, so the app can send it to its
/// server.
public struct DeviceFinding: Sendable, Hashable {
    /// The stable name of a finding, such as `challenge-missing`.
    ///
    /// If a step fails with an error, its name is the error's code, such as `device-locked`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Creates a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    /// The name.
    public let code: Code

    /// A sentence that says what is wrong.
    public let message: String

    /// A sentence, or a few, that say what to do.
    public let remedy: String

    init(_ code: Code, message: String, remedy: String) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// Creates the finding of a step that fails with an error.
    init(_ step: String, _ error: PushCryptError) {
        self.init(
            Code(rawValue: error.code.rawValue), message: step,
            remedy: DiagnosisAdvice.text(for: error.code))
    }
}

extension DeviceFinding: CustomStringConvertible {
    /// The message, the remedy and the name.
    public var description: String { "\(message) \(remedy) [\(code)]" }
}

extension DeviceFinding.Code {
    /// The system hasn't given the app a device token.
    public static let deviceTokenMissing = Self(rawValue: "device-token-missing")
    /// The device has no keys.
    public static let keysMissing = Self(rawValue: "keys-missing")
    /// The keys belong to another device or installation.
    public static let keysOfAnotherDevice = Self(rawValue: "keys-of-another-device")
    /// The server has never confirmed a registration.
    public static let notRegistered = Self(rawValue: "not-registered")
    /// The last request got no answer.
    public static let registrationUnanswered = Self(rawValue: "registration-unanswered")
    /// The server has sent a challenge that never arrived.
    public static let challengeMissing = Self(rawValue: "challenge-missing")
    /// A challenge arrived and couldn't be opened.
    public static let challengeNotOpened = Self(rawValue: "challenge-not-opened")
    /// A visible challenge arrived, and the app hasn't answered it.
    public static let challengeWaiting = Self(rawValue: "challenge-waiting")
    /// A challenge was answered, and the server hasn't accepted the answer.
    public static let answerRejected = Self(rawValue: "answer-rejected")
    /// The server knows another device token or account.
    public static let tokenNotRegistered = Self(rawValue: "token-not-registered")
    /// The server knows another key, or another list of accepted keys.
    public static let keyNotRegistered = Self(rawValue: "key-not-registered")
    /// The last confirmation is old.
    public static let registrationOld = Self(rawValue: "registration-old")
    /// The clocks of the device and the server differ.
    public static let clockDiffers = Self(rawValue: "clock-differs")
    /// The list of accepted keys has expired.
    public static let listExpired = Self(rawValue: "list-expired")
    /// The stored list of accepted keys is damaged.
    public static let listDamaged = Self(rawValue: "list-damaged")
    /// The app hasn't prepared the state that it shares with its extension.
    public static let stateNotPrepared = Self(rawValue: "state-not-prepared")
}
