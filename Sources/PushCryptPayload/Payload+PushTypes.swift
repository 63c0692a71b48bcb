public import PushCryptFoundation

/// Payloads of each push type.
extension Payload {
    /// Creates a payload for an alert push, with properties of ``AlertText`` and ``APS`` and the
    /// app's own members.
    public init(
        title: String? = nil, subtitle: String? = nil, body: String? = nil, badge: Int? = nil,
        sound: Sound? = nil,
        category: String? = nil, threadID: String? = nil,
        interruptionLevel: InterruptionLevel? = nil,
        custom: [String: JSONValue] = [:]
    ) {
        var aps = APS()
        if title != nil || subtitle != nil || body != nil {
            aps.alert = .dictionary(AlertText(title: title, subtitle: subtitle, body: body))
        }
        aps.badge = badge
        aps.sound = sound
        aps.category = category
        aps.threadID = threadID
        aps.interruptionLevel = interruptionLevel
        self.init(aps: aps, custom: custom)
    }

    /// Returns a payload for a background push, which wakes the app without a notification.
    public static func background(custom: [String: JSONValue] = [:]) -> Payload {
        var aps = APS()
        aps.contentAvailable = 1
        return Payload(aps: aps, custom: custom)
    }

    /// Returns a payload for a VoIP push.
    public static func voip(custom: [String: JSONValue]) -> Payload {
        Payload(aps: APS(), custom: custom)
    }

    /// Returns a payload for a Live Activity, with dates in whole seconds.
    ///
    /// ```swift
    /// let state: [String: JSONValue] = ["driver": "Anne", "minutes": 4]
    /// let payload = Payload.liveActivity(.update, at: Date(), contentState: state)
    /// let push = try sealer.seal(payload, for: device, headers: APNsHeaders(.liveActivity))
    /// ```
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - date: The date of the update. The system displays the latest update.
    ///   - contentState: The state; optional at the end.
    ///   - attributesType: The type of the attributes; required at the start.
    ///   - attributes: The attributes; required at the start.
    ///   - alert: The alert, which isn't sealed. Don't put private text in it.
    ///   - staleDate: The date from which the activity is out of date.
    ///   - dismissalDate: The date at which an ended activity disappears.
    ///   - inputPushToken: `true` if a new activity gets a token for its updates.
    ///   - inputPushChannel: The channel with the updates of a new activity, in base64, instead of
    ///     a token.
    /// - Returns: The payload.
    public static func liveActivity(
        _ event: LiveActivityEvent, at date: Date, contentState: [String: JSONValue]? = nil,
        attributesType: String? = nil, attributes: [String: JSONValue]? = nil,
        alert: AlertText? = nil,
        staleDate: Date? = nil, dismissalDate: Date? = nil, inputPushToken: Bool = false,
        inputPushChannel: String? = nil
    ) -> Payload {
        var aps = APS()
        aps.event = event
        aps.timestamp = date.timeIntervalSince1970.rounded(.down)
        aps.contentState = contentState
        aps.attributesType = attributesType
        aps.attributes = attributes
        aps.alert = alert.map { .dictionary($0) }
        aps.staleDate = staleDate?.timeIntervalSince1970.rounded(.down)
        aps.dismissalDate = dismissalDate?.timeIntervalSince1970.rounded(.down)
        aps.inputPushToken = inputPushToken ? 1 : nil
        aps.inputPushChannel = inputPushChannel
        return Payload(aps: aps)
    }
}
