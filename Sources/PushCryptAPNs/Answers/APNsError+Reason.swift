#if APNs
public import PushCryptSender

extension APNsError {
    /// Apple's reason for the rejection of a request.
    ///
    /// Apple may add reasons, so an unlisted one keeps its word, and takes its advice from the
    /// status of the answer. Apple's table:
    /// https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns
    ///
    /// ```swift
    /// func isGone(_ error: APNsError) -> Bool {
    ///     switch error.apnsReason {
    ///     case .unregistered, .expiredToken: true
    ///     default: false
    ///     }
    /// }
    /// ```
    public struct Reason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Apple's word, such as `BadDeviceToken`.
        public let rawValue: String

        /// Creates a reason from Apple's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Apple's word.
        public var description: String { rawValue }

        /// The problem and its fix in two English sentences; `nil` for a reason that isn't listed
        /// here.
        public var explanation: String? { Self.entries[self]?.explanation }

        /// The next step of the server; `nil` for a reason that isn't listed here.
        public var advice: Advice? { Self.entries[self]?.advice }

        /// The code of errors with this reason: its words in lower case with hyphens, such as
        /// `bad-device-token`.
        public var code: PushCryptError.Code {
            let words = rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }
                .joined()
            return PushCryptError.Code(
                rawValue: words.hasPrefix("-") ? String(words.dropFirst()) : words)
        }
    }
}

extension APNsError.Reason {
    /// The certificate isn't valid.
    public static let badCertificate = Self(rawValue: "BadCertificate")
    /// The certificate is for the other environment.
    public static let badCertificateEnvironment = Self(rawValue: "BadCertificateEnvironment")
    /// The collapse ID is longer than 64 bytes.
    public static let badCollapseID = Self(rawValue: "BadCollapseId")
    /// The device token isn't valid, or belongs to the other environment.
    public static let badDeviceToken = Self(rawValue: "BadDeviceToken")
    /// The key of the provider token is for the other environment.
    public static let badEnvironmentKeyIDInToken = Self(rawValue: "BadEnvironmentKeyIdInToken")
    /// The expiration isn't valid.
    public static let badExpirationDate = Self(rawValue: "BadExpirationDate")
    /// The header `apns-id` isn't a UUID.
    public static let badMessageID = Self(rawValue: "BadMessageId")
    /// The path of the request isn't valid.
    public static let badPath = Self(rawValue: "BadPath")
    /// The priority isn't 1, 5 or 10.
    public static let badPriority = Self(rawValue: "BadPriority")
    /// The topic isn't valid.
    public static let badTopic = Self(rawValue: "BadTopic")
    /// The device token belongs to another app than the topic.
    public static let deviceTokenNotForTopic = Self(rawValue: "DeviceTokenNotForTopic")
    /// A header occurs twice.
    public static let duplicateHeaders = Self(rawValue: "DuplicateHeaders")
    /// APNs considers the provider token expired.
    public static let expiredProviderToken = Self(rawValue: "ExpiredProviderToken")
    /// The device token has expired.
    public static let expiredToken = Self(rawValue: "ExpiredToken")
    /// The credentials don't allow the request.
    public static let forbidden = Self(rawValue: "Forbidden")
    /// The request wasn't complete in time.
    public static let idleTimeout = Self(rawValue: "IdleTimeout")
    /// APNs has an internal error.
    public static let internalServerError = Self(rawValue: "InternalServerError")
    /// The provider token isn't valid, or its signature can't be verified.
    public static let invalidProviderToken = Self(rawValue: "InvalidProviderToken")
    /// The push type isn't valid.
    public static let invalidPushType = Self(rawValue: "InvalidPushType")
    /// The HTTP method isn't `POST`.
    public static let methodNotAllowed = Self(rawValue: "MethodNotAllowed")
    /// The device token is missing.
    public static let missingDeviceToken = Self(rawValue: "MissingDeviceToken")
    /// The provider token is missing, and the connection has no certificate.
    public static let missingProviderToken = Self(rawValue: "MissingProviderToken")
    /// The topic is missing.
    public static let missingTopic = Self(rawValue: "MissingTopic")
    /// The payload is empty.
    public static let payloadEmpty = Self(rawValue: "PayloadEmpty")
    /// The payload is larger than APNs accepts.
    public static let payloadTooLarge = Self(rawValue: "PayloadTooLarge")
    /// APNs is unavailable.
    public static let serviceUnavailable = Self(rawValue: "ServiceUnavailable")
    /// APNs is shutting down.
    public static let shutdown = Self(rawValue: "Shutdown")
    /// The provider token changes more often than once every 20 minutes.
    public static let tooManyProviderTokenUpdates = Self(rawValue: "TooManyProviderTokenUpdates")
    /// The device got too many pushes in a short time.
    public static let tooManyRequests = Self(rawValue: "TooManyRequests")
    /// The credentials don't allow pushes to the topic.
    public static let topicDisallowed = Self(rawValue: "TopicDisallowed")
    /// The device token isn't active for the topic any more.
    public static let unregistered = Self(rawValue: "Unregistered")
    /// The key of the provider token isn't for the topic.
    public static let unrelatedKeyIDInToken = Self(rawValue: "UnrelatedKeyIdInToken")

    /// The listed reasons, in alphabetical order.
    public static let all: [Self] = entries.keys.sorted { $0.rawValue < $1.rawValue }

    private struct Entry {
        let explanation: String
        let advice: APNsError.Advice

        init(_ advice: APNsError.Advice, _ explanation: String) {
            self.explanation = explanation
            self.advice = advice
        }
    }

    private static let entries: [Self: Entry] = [
        .badCertificate: Entry(.checkCredentials, "The certificate isn't valid. Renew it."),
        .badCertificateEnvironment: Entry(
            .checkCredentials, "The certificate is for the other environment. Use that environment."
        ),
        .badCollapseID: Entry(.fixRequest, "The collapse ID is too long. Shorten it to 64 bytes."),
        .badDeviceToken: Entry(
            .fixRequest, "The device token isn't valid, or is of the other environment. Check both."
        ),
        .badEnvironmentKeyIDInToken: Entry(
            .checkCredentials, "The key is for the other environment. Use that environment."),
        .badExpirationDate: Entry(.fixRequest, "The expiration isn't valid. Correct it."),
        .badMessageID: Entry(.fixRequest, "The apns-id isn't a UUID. Correct it."),
        .badPath: Entry(.fixRequest, "The path isn't valid. Check the device token."),
        .badPriority: Entry(.fixRequest, "The priority isn't valid. Use 1, 5 or 10."),
        .badTopic: Entry(.fixRequest, "The topic isn't valid. Use the app's bundle ID."),
        .deviceTokenNotForTopic: Entry(
            .fixRequest, "The device token is of another app. Check the topic."),
        .duplicateHeaders: Entry(.fixRequest, "A header occurs twice. Remove one."),
        .expiredProviderToken: Entry(
            .checkCredentials, "APNs calls the provider token expired. Correct the clock."),
        .expiredToken: Entry(.deleteToken, "The device token has expired. Delete it."),
        .forbidden: Entry(
            .checkCredentials, "The action isn't allowed. Check the key and the team."),
        .idleTimeout: Entry(.retry, "The request wasn't complete in time. Send the push again."),
        .internalServerError: Entry(
            .retry, "APNs has an internal error. Send the push again later."),
        .invalidProviderToken: Entry(
            .checkCredentials,
            "The provider token isn't valid. Check the key, its ID and the team ID."),
        .invalidPushType: Entry(.fixRequest, "The push type isn't valid. Correct it."),
        .methodNotAllowed: Entry(
            .fixRequest, "The method isn't allowed. Use a current release of this library."),
        .missingDeviceToken: Entry(.fixRequest, "The device token is missing. Add it."),
        .missingProviderToken: Entry(
            .checkCredentials,
            "The provider token or the certificate is missing. Check the credentials."),
        .missingTopic: Entry(.fixRequest, "The topic is missing. Set it in the headers."),
        .payloadEmpty: Entry(.fixRequest, "The payload is empty. Add it."),
        .payloadTooLarge: Entry(.fixRequest, "The payload is too large. Shorten it."),
        .serviceUnavailable: Entry(.retry, "APNs is unavailable. Send the push again later."),
        .shutdown: Entry(.retry, "APNs is shutting down. Send the push again."),
        .tooManyProviderTokenUpdates: Entry(
            .checkCredentials,
            "The provider token changes too often. Share it, and wait 20 minutes."),
        .tooManyRequests: Entry(
            .retry, "The device got too many pushes. Send fewer, and this one later."),
        .topicDisallowed: Entry(
            .fixRequest,
            """
            Pushes to this topic aren't allowed. Check the topic and the key's apps.
            """),
        .unregistered: Entry(
            .deleteToken,
            "The app was removed from the device, or has another token now. Delete this one."),
        .unrelatedKeyIDInToken: Entry(
            .checkCredentials, "The key isn't for this topic. Check the topic and the key's apps."),
    ]
}
#endif
