#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Payloads of each push type in one expression.
extension Payload {
    /// A payload for an alert push.
    ///
    /// - Parameters:
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - body: the text.
    ///   - badge: the number for the app's icon; 0 removes it.
    ///   - sound: the sound.
    ///   - category: which actions and which content extension it has.
    ///   - threadID: what it is grouped by.
    ///   - interruptionLevel: how far it may interrupt.
    ///   - custom: what is for the app, such as the deep link that a tap follows.
    public init(
        title: String? = nil, subtitle: String? = nil, body: String? = nil, badge: Int? = nil, sound: Sound? = nil,
        category: String? = nil, threadID: String? = nil, interruptionLevel: InterruptionLevel? = nil,
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

    /// A payload for a background push: it shows nothing and wakes the app.
    ///
    /// - Parameter custom: what is for the app.
    /// - Returns: the payload.
    public static func background(custom: [String: JSONValue] = [:]) -> Payload {
        var aps = APS()
        aps.contentAvailable = 1
        return Payload(aps: aps, custom: custom)
    }

    /// A payload for a VoIP push.
    ///
    /// - Parameter custom: what is for the app.
    /// - Returns: the payload.
    public static func voip(custom: [String: JSONValue]) -> Payload {
        Payload(aps: APS(), custom: custom)
    }

    /// A payload for a Live Activity.
    ///
    /// Times are written in whole seconds.
    ///
    /// - Parameters:
    ///   - event: what happens to it.
    ///   - date: when the update was sent; the system shows the latest.
    ///   - contentState: what it shows; may be left out at the end.
    ///   - attributesType: which type the attributes have; needed at the start.
    ///   - attributes: what it starts with, and keeps; needed at the start.
    ///   - alert: what is shown with it. It stays readable on the way, so let it say nothing.
    ///   - staleDate: when it is out of date.
    ///   - dismissalDate: when it goes after its end.
    /// - Returns: the payload.
    public static func liveActivity(
        _ event: LiveActivityEvent, at date: Date, contentState: [String: JSONValue]? = nil,
        attributesType: String? = nil, attributes: [String: JSONValue]? = nil, alert: AlertText? = nil,
        staleDate: Date? = nil, dismissalDate: Date? = nil
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
        return Payload(aps: aps, custom: [:])
    }
}
