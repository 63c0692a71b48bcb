package import PushCryptCore
package import PushCryptPayload

/// The locations of Apple's keys in a scanned payload.
package struct PayloadOutline {
    /// A key of Apple's in its dictionary.
    package struct Known {
        package let key: PayloadKey
        package let member: JSONDocument.Member
    }

    /// The scanned payload.
    package let document: JSONDocument

    /// The member `aps`, of any type.
    package let aps: JSONDocument.Member?

    /// Apple's keys in `aps`, `alert` and `sound`.
    package private(set) var known: [Known] = []

    /// Other keys in the same dictionaries.
    private(set) var unknown: [(parent: PayloadKey.Parent, member: JSONDocument.Member)] = []

    private static let alert = JSONName(PayloadKey.alert.rawValue)
    private static let sound = JSONName(PayloadKey.sound.rawValue)

    package init(_ document: JSONDocument, _ bytes: Span<UInt8>) {
        self.document = document
        aps = document.member(PayloadKey.aps, in: bytes)
        guard let object = aps?.valueObject, object >= 0 else { return }
        let alert = document.member(Self.alert, of: object, in: bytes)?.valueObject ?? -1
        let sound = document.member(Self.sound, of: object, in: bytes)?.valueObject ?? -1
        known.reserveCapacity(document.members.count)
        for member in document.members {
            let parent: PayloadKey.Parent
            switch member.object {
            case object: parent = .aps
            case alert: parent = .alert
            case sound: parent = .sound
            default: continue
            }
            if let key = PayloadKey(member, of: document, in: bytes), key.parent == parent {
                known.append(Known(key: key, member: member))
            } else {
                unknown.append((parent, member))
            }
        }
    }

    /// Returns the member of a key, or `nil` if it is missing.
    package subscript(key: PayloadKey) -> JSONDocument.Member? {
        known.first { $0.key == key }?.member
    }

    /// Returns the members beside `aps`.
    func custom(in bytes: Span<UInt8>) -> [JSONDocument.Member] {
        var members: [JSONDocument.Member] = []
        for member in document.members(of: 0) where !document.isNamed(PayloadKey.aps, member, in: bytes) {
            members.append(member)
        }
        return members
    }

    /// Returns the sealed value of the payload, or `nil` if it is missing.
    func sealedValue(in bytes: Span<UInt8>) -> JSONDocument.Member? {
        document.member(Envelope.payloadName, in: bytes)
    }

    /// Returns the sealed value in a dictionary of a Live Activity, or `nil` if it is missing.
    func sealedValue(inside key: PayloadKey, in bytes: Span<UInt8>) -> JSONDocument.Member? {
        guard let object = self[key]?.valueObject, object >= 0 else { return nil }
        return document.member(Envelope.payloadName, of: object, in: bytes)
    }

    /// Returns a Boolean value that indicates whether the payload, or a dictionary of a Live Activity, is sealed.
    package func isSealed(in bytes: Span<UInt8>) -> Bool {
        if sealedValue(in: bytes) != nil { return true }
        return PayloadKey.sealedInLiveActivities.contains { sealedValue(inside: $0, in: bytes) != nil }
    }
}

extension PayloadKey {
    /// The keys that are sealed in a Live Activity push, all others of which the system reads.
    package static let sealedInLiveActivities: [PayloadKey] = [.attributes, .contentState]
}
