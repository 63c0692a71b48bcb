#if APNs
internal import Foundation
internal import NIOHPACK

/// Apple's rules for a request, apart from those for provider tokens.
struct RequestCheck {
    /// The suffixes that the topic needs for a push type; push types without one are known by an
    /// empty suffix.
    static let suffixes = [
        "alert": "", "background": "", "mdm": "", "voip": ".voip", "complication": ".complication",
        "fileprovider": ".pushkit.fileprovider", "liveactivity": ".push-type.liveactivity",
        "pushtotalk": ".voip-ptt", "location": ".location-query", "controls": ".push-type.controls",
        "widgets": ".push-type.widgets",
    ]

    let headers: HPACKHeaders
    /// The bundle id of the app; other topics are this and a suffix.
    let bundleID: String
    /// A Boolean value that indicates whether the client's certificate implies the topic.
    let hasCertificate: Bool

    /// Checks what APNs looks at before the provider token.
    func checkTarget() throws(Refusal) {
        guard headers.first(name: ":method") == "POST" else {
            throw Refusal(405, "MethodNotAllowed")
        }
        guard path.hasPrefix("/3/device/") || path == "/3/device" else {
            throw Refusal(404, "BadPath")
        }
    }

    /// Checks the headers, the device token and the payload, and returns the topic.
    func checkRest(payload: [UInt8], size: Int) throws(Refusal) -> String {
        var names: Set<String> = []
        for header in headers where !names.insert(header.name).inserted {
            throw Refusal(400, "DuplicateHeaders")
        }
        if let id = value("apns-id"), UUID(uuidString: id) == nil {
            throw Refusal(400, "BadMessageId")
        }
        if let date = value("apns-expiration"), !isNumber(date) {
            throw Refusal(400, "BadExpirationDate")
        }
        let priority = value("apns-priority")
        guard ["1", "5", "10"].contains(priority ?? "10") else { throw Refusal(400, "BadPriority") }
        if let id = value("apns-collapse-id"), id.utf8.count > 64 {
            throw Refusal(400, "BadCollapseId")
        }
        let type = value("apns-push-type") ?? "alert"
        guard let suffix = Self.suffixes[type] else { throw Refusal(400, "InvalidPushType") }
        // Apple's documentation calls priority 10 an error here.
        if type == "background", priority == "10" { throw Refusal(400, "BadPriority") }
        let topic = try checkTopic(suffix: suffix)
        try checkDeviceToken()
        guard size <= (type == "voip" ? 5120 : 4096) else { throw Refusal(413, "PayloadTooLarge") }
        guard (try? JSONSerialization.jsonObject(with: Data(payload))) is [String: Any] else {
            throw Refusal(400, "PayloadEmpty")
        }
        return topic
    }

    /// The device token of the path.
    var deviceToken: String { String(path.dropFirst("/3/device/".count)) }

    /// The headers but the pseudo-headers.
    var fields: [String: String] {
        var fields: [String: String] = [:]
        for header in headers where !header.name.hasPrefix(":") {
            fields[header.name] = header.value
        }
        return fields
    }

    private var path: String { value(":path") ?? "" }

    private func checkTopic(suffix: String) throws(Refusal) -> String {
        guard let topic = value("apns-topic") ?? (hasCertificate ? bundleID + suffix : nil) else {
            throw Refusal(400, "MissingTopic")
        }
        guard !topic.isEmpty,
            topic.utf8.allSatisfy({ isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E })
        else {
            throw Refusal(400, "BadTopic")
        }
        let known = Self.suffixes.values.map { bundleID + $0 }
        guard known.contains(topic) else { throw Refusal(400, "TopicDisallowed") }
        guard topic == bundleID + suffix else { throw Refusal(400, "DeviceTokenNotForTopic") }
        return topic
    }

    private func checkDeviceToken() throws(Refusal) {
        let token = deviceToken
        guard !token.isEmpty else { throw Refusal(400, "MissingDeviceToken") }
        guard (64...200).contains(token.utf8.count), token.utf8.count.isMultiple(of: 2),
            token.utf8.allSatisfy({ isAlphanumeric($0) && $0 | 0x20 <= 0x66 })
        else { throw Refusal(400, "BadDeviceToken") }
    }

    private func value(_ name: String) -> String? { headers.first(name: name) }

    private func isNumber(_ text: String) -> Bool {
        (1...11).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
#endif
