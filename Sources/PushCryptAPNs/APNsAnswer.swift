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
            .flatMap { (0..<1 << 48).contains($0) ? Date(millisecondsSince1970: $0) : nil }
    }

    /// A Boolean value that indicates whether APNs may accept the same request later.
    private var isTemporary: Bool { status == 429 || (500...599).contains(status) }

    /// Returns the error of a refused request.
    func error(_ id: UUID) -> APNsError {
        let code = reason.map(Self.code) ?? PushCryptError.Code(rawValue: "status-\(status)")
        var error = APNsError(code, text, advice, id)
        (error.status, error.apnsReason) = (status, reason)
        (error.timestamp, error.retryAfter) = (timestamp, retryAfter)
        return error
    }

    private static func code(_ reason: String) -> PushCryptError.Code {
        let words = reason.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
        return PushCryptError.Code(rawValue: words.hasPrefix("-") ? String(words.dropFirst()) : words)
    }

    private var advice: APNsError.Advice {
        if status == 410 { return .deleteToken }
        if status == 403 || reason == "TooManyProviderTokenUpdates" { return .checkCredentials }
        return isTemporary ? .retry : .fixRequest
    }

    private var text: String {
        if let reason, let text = Self.texts[reason] { return text }
        let fix = advice.name.prefix(1).uppercased() + advice.name.dropFirst()
        return "APNs refuses the request with \(status)\(reason.map { " \($0)" } ?? ""). \(fix)."
    }

    /// The reasons that need more than their name, of
    /// https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns.
    static let texts = [
        "BadDeviceToken": "The device token isn't valid, or is of the other environment. Check both.",
        "DeviceTokenNotForTopic": "The device token is of another app. Check the topic.",
        "ExpiredProviderToken": "APNs calls the provider token expired. Correct the clock.",
        "InvalidProviderToken": "The provider token isn't valid. Check the key, its ID and the team ID.",
        "TooManyProviderTokenUpdates": "The provider token changes too often. Share it, and wait 20 minutes.",
        "TooManyRequests": "The device got too many pushes. Send fewer, and this one later.",
        "TopicDisallowed": "Pushes to this topic aren't allowed. Check the topic and the key's apps.",
        "Unregistered": "The app was removed from the device, or has another token now. Delete this one.",
        "UnrelatedKeyIdInToken": "The key isn't for this topic. Check the topic and the key's apps.",
    ]
}
#endif
