internal import PushCryptCore
public import PushCryptRules

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The headers of the request to APNs that belong to a payload
/// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
///
/// None of this is sealed: APNs reads it, so a collapse id should not say anything that matters.
public struct APNsHeaders: Sendable, Hashable {
    /// How long APNs keeps trying.
    public enum Expiration: Sendable, Hashable {
        /// One attempt, nothing is stored.
        case once
        /// Until a time, 30 days ahead at the most.
        case at(Date)
    }

    /// How urgent a push is, by the numbers that APNs has for it.
    public enum Priority: Int, Sendable, Hashable, CaseIterable {
        /// At once.
        case immediate = 10
        /// When it suits the device's battery. Background pushes must have this one.
        case considerate = 5
        /// Only when nothing wakes for it.
        case low = 1
    }

    /// The value of `apns-push-type`.
    public var pushType: PushType
    /// The value of `apns-priority`.
    public var priority: Priority
    /// The value of `apns-expiration`; `nil` leaves it to APNs.
    public var expiration: Expiration?
    /// The value of `apns-collapse-id`, at most 64 bytes.
    public var collapseID: String?
    /// The value of `apns-topic`, as a rule the app's bundle id; for VoIP with `.voip` behind it, for Live Activities with
    /// `.push-type.liveactivity`.
    public var topic: String?

    /// Puts together the headers of a push.
    ///
    /// - Parameters:
    ///   - pushType: what kind of push it is.
    ///   - priority: how urgent it is; by default 10, and 5 for background pushes.
    ///   - expiration: how long APNs keeps trying.
    ///   - collapseID: pushes with the same id replace each other on the device; at most 64 bytes.
    ///   - topic: the app's bundle id; for VoIP with `.voip` behind it, for Live Activities with `.push-type.liveactivity`.
    public init(
        _ pushType: PushType = .alert, priority: Priority? = nil, expiration: Expiration? = nil,
        collapseID: String? = nil, topic: String? = nil
    ) {
        self.pushType = pushType
        self.priority = priority ?? (pushType == .background ? .considerate : .immediate)
        self.expiration = expiration
        self.collapseID = collapseID
        self.topic = topic
    }

    /// The headers by name, ready to be set on a request, in the order of their names.
    public var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let collapseID { fields.append(("apns-collapse-id", collapseID)) }
        switch expiration {
        case nil: break
        case .once: fields.append(("apns-expiration", "0"))
        case .at(let date): fields.append(("apns-expiration", "\(date.millisecondsSince1970 / 1000)"))
        }
        fields.append(("apns-priority", "\(priority.rawValue)"))
        fields.append(("apns-push-type", pushType.rawValue))
        if let topic { fields.append(("apns-topic", topic)) }
        return fields
    }

    /// Refuses what APNs would refuse, and what would break out of a header.
    package func check() throws(PushCryptError) {
        if let collapseID, collapseID.utf8.count > 64 {
            throw PushCryptError(
                .invalidHeader, "The collapse id has \(collapseID.utf8.count) bytes; APNs takes 64 at the most.")
        }
        for text in [collapseID, topic] {
            guard let text else { continue }
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw PushCryptError(
                    .invalidHeader,
                    "Collapse ids and topics are visible ASCII characters, without spaces, and not empty.")
            }
        }
        if let topic, !topic.hasSuffix(pushType.topicSuffix) || topic == pushType.topicSuffix {
            throw PushCryptError(
                .invalidHeader,
                "The topic of this push type ends with \(pushType.topicSuffix), behind the app's bundle id.")
        }
        if pushType == .background, priority == .immediate {
            throw PushCryptError(.invalidHeader, "APNs does not take a background push with priority 10. Use 5.")
        }
    }
}
