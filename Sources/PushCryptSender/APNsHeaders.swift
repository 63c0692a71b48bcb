internal import PushCryptCore
public import PushCryptFoundation

/// The headers of a request to APNs
/// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
///
/// ```swift
/// let headers = APNsHeaders(
///     .alert, expiration: .at(Date() + 3600), collapseID: "news", topic: "com.example.app")
/// ```
public struct APNsHeaders: Sendable, Hashable {
    /// The period for which APNs tries to deliver a push.
    public enum Expiration: Sendable, Hashable {
        /// One attempt, without storage.
        case once
        /// Attempts until a date, at most 30 days ahead.
        case at(Date)
    }

    /// The urgency of a push.
    public enum Priority: Int, Sendable, Hashable, CaseIterable {
        /// Immediate delivery.
        case immediate = 10
        /// Delivery that considers the battery of the device. Background pushes require it.
        case consideringPower = 5
        /// Delivery that never wakes the device.
        case low = 1
    }

    /// The value of `apns-push-type`.
    public var pushType: PushType
    /// The value of `apns-priority`.
    public var priority: Priority
    /// The value of `apns-expiration`; `nil` for none.
    ///
    /// When a payload is sealed, the end of the message's lifetime replaces `nil` and later dates.
    public var expiration: Expiration?
    /// The value of `apns-collapse-id`, at most 64 bytes; a push replaces an earlier one with the
    /// same value.
    public var collapseID: String?
    /// The value of `apns-topic`: the app's bundle ID with the suffix of the push type: `.voip`,
    /// `.push-type.liveactivity`, `.location-query` or `.voip-ptt`.
    public var topic: String?
    /// The value of `apns-id`, by which APNs and its errors name the push.
    ///
    /// When a payload is sealed, a UUID of version 8 (RFC 9562) replaces `nil`. It is a hash of the
    /// random message ID. So a push that is sent again has the same value, and the value doesn't
    /// reveal the message ID. If you seal for many devices, leave it `nil`, because all of them get
    /// a given value.
    public var id: UUID?
    /// The value of `apns-channel-id`, in base64: a broadcast of a Live Activity to all subscribers
    /// of the channel.
    ///
    /// The sealer rejects it, because a message is sealed for one device. `lint` accepts it, with
    /// up to 5120 bytes.
    public var channelID: String?

    /// Creates the headers of a push, with priority 5 for background pushes and 10 for all others
    /// by default.
    ///
    /// A push-to-talk push expires at once by default, so that APNs doesn't deliver it later.
    public init(
        _ pushType: PushType = .alert, priority: Priority? = nil, expiration: Expiration? = nil,
        collapseID: String? = nil, topic: String? = nil, id: UUID? = nil, channelID: String? = nil
    ) {
        self.pushType = pushType
        self.priority = priority ?? (pushType == .background ? .consideringPower : .immediate)
        self.expiration = expiration ?? (pushType == .pushToTalk ? .once : nil)
        self.collapseID = collapseID
        self.topic = topic
        self.id = id
        self.channelID = channelID
    }

    /// The names and values of the headers, sorted by name.
    public var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let channelID { fields.append(("apns-channel-id", channelID)) }
        if let collapseID { fields.append(("apns-collapse-id", collapseID)) }
        switch expiration {
        case nil: break
        case .once: fields.append(("apns-expiration", "0"))
        case .at(let date):
            fields.append(("apns-expiration", "\(date.millisecondsSince1970 / 1000)"))
        }
        if let id { fields.append(("apns-id", id.lowercasedText)) }
        fields.append(("apns-priority", "\(priority.rawValue)"))
        fields.append(("apns-push-type", pushType.rawValue))
        if let topic { fields.append(("apns-topic", topic)) }
        return fields
    }

    /// Returns the headers with an expiration no later than a time in milliseconds since 1970.
    func expiring(_ milliseconds: UInt64) -> APNsHeaders {
        let date = Date(millisecondsSince1970: milliseconds)
        var headers = self
        switch expiration {
        case .once: break
        case .at(let earlier): headers.expiration = .at(min(earlier, date))
        case nil: headers.expiration = .at(date)
        }
        return headers
    }

    /// Throws if APNs would reject the headers, or if a value could end its header.
    package func check() throws(PushCryptError) {
        if let collapseID, collapseID.utf8.count > 64 {
            throw PushCryptError(
                .invalidHeader,
                "The collapse ID has \(collapseID.utf8.count) bytes. Give at most 64.")
        }
        for text in [collapseID, topic, channelID] {
            guard let text else { continue }
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw PushCryptError(
                    .invalidHeader,
                    """
                    The collapse ID, topic or channel isn't valid. Give visible ASCII characters \
                    without spaces.
                    """)
            }
        }
        if let topic, !topic.hasSuffix(pushType.topicSuffix) || topic == pushType.topicSuffix {
            throw PushCryptError(
                .invalidHeader,
                """
                The topic doesn't fit the push type. Append \(pushType.topicSuffix) to the app's \
                bundle ID.
                """)
        }
        if pushType == .background, priority == .immediate {
            throw PushCryptError(
                .invalidHeader, "APNs rejects background pushes with priority 10. Use 5.")
        }
        if channelID != nil, pushType != .liveActivity {
            throw PushCryptError(
                .invalidHeader, "Only a Live Activity push has a channel. Omit the channel.")
        }
    }

    /// Throws `notSealable` if no extension opens the push, or if it goes to many devices.
    package func checkSealable() throws(PushCryptError) {
        try pushType.checkSealable()
        guard channelID != nil else { return }
        throw PushCryptError(
            .notSealable,
            "A channel has many subscribers. Send it unsealed, or seal for each device.")
    }

    /// The maximum length of a payload, in bytes.
    package var maximumPayloadLength: Int {
        channelID == nil ? pushType.maximumPayloadLength : 5120
    }
}
