internal import PushCryptPayload

/// Messages of Firebase Cloud Messaging
/// (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages).
extension CarrierRequest {
    /// The headers that Firebase hands on to APNs, without `apns-id`.
    private static let handedOn = [
        "apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic",
    ]

    /// The longest time in seconds for which Firebase keeps a message for an Android device: four
    /// weeks.
    private static let longestTime: UInt64 = 28 * 24 * 3600

    /// Returns the message to an iPhone.
    static func firebase(_ content: CarrierContent, _ token: String) -> CarrierRequest {
        var headers = JSONObjectText()
        for field in content.headers.fields where handedOn.contains(field.name) {
            headers.append(field.name, field.value)
        }
        var apns = JSONObjectText()
        apns.append("headers", headers)
        apns.append("payload", json: content.payload)
        return message(to: token, "apns", apns)
    }

    /// Returns the message to an Android device: data without a notification, so that the app
    /// displays it.
    static func firebaseAndroid(_ content: CarrierContent, _ token: String) -> CarrierRequest {
        var android = JSONObjectText()
        android.append("priority", content.headers.priority == .immediate ? "high" : "normal")
        if let seconds = content.secondsToLive(atMost: longestTime) {
            android.append("ttl", "\(seconds)s")
        }
        if let id = content.headers.collapseID { android.append("collapseKey", id) }
        android.append("data", content.data)
        return message(to: token, "android", android)
    }

    private static func message(to token: String, _ platform: String, _ members: JSONObjectText)
        -> CarrierRequest
    {
        var message = JSONObjectText()
        message.append("token", token)
        message.append(platform, members)
        var body = JSONObjectText()
        body.append("message", message)
        return CarrierRequest(body)
    }
}
