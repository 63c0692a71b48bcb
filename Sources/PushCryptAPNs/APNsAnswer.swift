#if APNs
internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptSender

/// An answer of APNs.
struct APNsAnswer: Sendable {
    let status: Int
    var uniqueID: String?
    /// The seconds of `Retry-After`; a date in it is left out, because Apple's documentation has seconds.
    var retryAfter: TimeInterval?
    var reason: String?
    var timestamp: Date?

    init(status: Int, uniqueID: String? = nil, retryAfter: String? = nil, body: [UInt8]) {
        (self.status, self.uniqueID) = (status, uniqueID)
        self.retryAfter = retryAfter.flatMap { UInt32($0) }.map { TimeInterval($0) }
        guard let document = try? JSONDocument(scanning: body.span) else { return }
        // A word goes into logs.
        reason = document.string(document.member("reason", in: body.span), in: body.span).flatMap { word in
            !word.isEmpty && word.utf8.count <= 64 && word.utf8.allSatisfy(ProviderToken.isLetterOrDigit) ? word : nil
        }
        timestamp = document.integer(document.member("timestamp", in: body.span), in: body.span)
            .map { Date(millisecondsSince1970: $0) }
    }

    /// A Boolean value that indicates whether APNs may accept the same request later.
    var isTemporary: Bool { status == 429 || (500...599).contains(status) }

    /// Returns the error of a refused request.
    func error(_ id: UUID) -> APNsError {
        let code = reason.map(Self.code) ?? PushCryptError.Code(rawValue: "status-\(status)")
        var error = APNsError(code, text, advice, id)
        (error.status, error.apnsReason) = (status, reason)
        (error.timestamp, error.retryAfter) = (timestamp, retryAfter)
        return error
    }

    private static func code(_ reason: String) -> PushCryptError.Code {
        var words = ""
        for character in reason {
            if character.isUppercase, !words.isEmpty { words += "-" }
            words += character.lowercased()
        }
        return PushCryptError.Code(rawValue: words)
    }

    private var advice: APNsError.Advice {
        if status == 410 { return .deleteToken }
        if status == 403 || reason == "TooManyProviderTokenUpdates" { return .checkCredentials }
        return isTemporary ? .retry : .fixRequest
    }

    private var text: String {
        if let reason, let text = Self.texts[reason] { return text }
        return isTemporary
            ? "APNs answers \(status)\(reason.map { " \($0)" } ?? ""). Send the push again later."
            : "APNs refuses the request with \(status)\(reason.map { " \($0)" } ?? ""). Correct the request."
    }

    /// The reasons of https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns.
    static let texts = [
        "BadCertificate": "The certificate isn't valid. Renew it.",
        "BadCertificateEnvironment": "The certificate is for the other environment. Use that environment.",
        "BadCollapseId": "The collapse ID is too long. Shorten it to 64 bytes.",
        "BadDeviceToken": "The device token isn't valid, or is of the other environment. Check both.",
        "BadEnvironmentKeyIdInToken": "The key is for the other environment. Use that environment.",
        "BadExpirationDate": "The expiration isn't valid. Correct it.",
        "BadMessageId": "The apns-id isn't a UUID. Correct it.",
        "BadPath": "The path isn't valid. Check the device token.",
        "BadPriority": "The priority isn't valid. Use 1, 5 or 10.",
        "BadTopic": "The topic isn't valid. Use the app's bundle ID.",
        "DeviceTokenNotForTopic": "The device token is of another app. Check the topic.",
        "DuplicateHeaders": "A header occurs twice. Remove one.",
        "ExpiredProviderToken": "APNs calls the provider token expired. Correct the clock.",
        "ExpiredToken": "The device token has expired. Delete it.",
        "Forbidden": "The action isn't allowed. Check the key and the team.",
        "IdleTimeout": "APNs closed an idle connection. Send the push again.",
        "InternalServerError": "APNs has an internal error. Send the push again later.",
        "InvalidProviderToken": "The provider token isn't valid. Check the key, its ID and the team ID.",
        "InvalidPushType": "The push type isn't valid. Correct it.",
        "MethodNotAllowed": "The method isn't allowed. Use a current release of this library.",
        "MissingDeviceToken": "The device token is missing. Add it.",
        "MissingProviderToken": "The provider token or the certificate is missing. Check the credentials.",
        "MissingTopic": "The topic is missing. Set it in the headers.",
        "PayloadEmpty": "The payload is empty. Add it.",
        "PayloadTooLarge": "The payload is too large. Shorten it.",
        "ServiceUnavailable": "APNs is unavailable. Send the push again later.",
        "Shutdown": "APNs is shutting down. Send the push again.",
        "TooManyProviderTokenUpdates": "The provider token changes too often. Share it between processes.",
        "TooManyRequests": "The device got too many pushes. Send fewer, and this one later.",
        "TopicDisallowed": "Pushes to this topic aren't allowed. Check the topic and the key's apps.",
        "Unregistered": "The app was removed from the device, or has another token now. Delete this one.",
        "UnrelatedKeyIdInToken": "The key isn't for this topic. Check the topic and the key's apps.",
    ]
}
#endif
