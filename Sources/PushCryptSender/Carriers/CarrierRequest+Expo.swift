internal import PushCryptPayload

extension CarrierRequest {
    /// Returns a message of Expo's push service
    /// (https://docs.expo.dev/push-notifications/sending-notifications/).
    static func expo(_ content: CarrierContent, _ token: String) -> CarrierRequest {
        var body = JSONObjectText()
        body.append("to", token)
        for line in ["title", "subtitle", "body"] {
            if let text = content.alert(line) { body.append(line, json: text) }
        }
        if content.aps("mutable-content") != nil { body.append(true: "mutableContent") }
        if content.aps("content-available") != nil { body.append(true: "_contentAvailable") }
        for (name, key) in [
            ("badge", "badge"), ("sound", "sound"), ("categoryId", "category"),
            ("interruptionLevel", "interruption-level"),
        ] {
            if let value = content.aps(key) { body.append(name, json: value) }
        }
        body.append("data", content.data)
        switch content.headers.expiration {
        case nil: break
        case .once: body.append("ttl", 0)
        case .at(let date): body.append("expiration", date.millisecondsSince1970 / 1000)
        }
        body.append("priority", content.headers.priority == .immediate ? "high" : "normal")
        return CarrierRequest(body)
    }
}
