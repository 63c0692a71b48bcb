package import PushCryptCore
package import PushCryptPayload

/// Where Apple's keys are in a scanned payload, found in one pass over its members.
package struct PayloadOutline {
    /// One of Apple's keys that the payload has, in the dictionary that it belongs to.
    package struct Known {
        package let key: PayloadKey
        package let member: JSONDocument.Member
    }

    /// What the scan has found.
    package let document: JSONDocument

    /// The member `aps`, whatever it is.
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

    /// The member of one of Apple's keys.
    package subscript(key: PayloadKey) -> JSONDocument.Member? {
        known.first { $0.key == key }?.member
    }

    /// The members beside `aps`.
    func custom(in bytes: Span<UInt8>) -> [JSONDocument.Member] {
        var members: [JSONDocument.Member] = []
        for member in document.members(of: 0) where !document.isNamed(PayloadKey.aps, member, in: bytes) {
            members.append(member)
        }
        return members
    }

    /// The sealed value of the payload, if it has one.
    func sealedValue(in bytes: Span<UInt8>) -> JSONDocument.Member? {
        document.member(Envelope.payloadName, in: bytes)
    }

    /// The sealed value in one of the dictionaries of a Live Activity.
    func sealedValue(inside key: PayloadKey, in bytes: Span<UInt8>) -> JSONDocument.Member? {
        guard let object = self[key]?.valueObject, object >= 0 else { return nil }
        return document.member(Envelope.payloadName, of: object, in: bytes)
    }

    /// Whether the payload, or what it has for a Live Activity, is sealed.
    package func isSealed(in bytes: Span<UInt8>) -> Bool {
        if sealedValue(in: bytes) != nil { return true }
        return PayloadKey.sealedInLiveActivities.contains { sealedValue(inside: $0, in: bytes) != nil }
    }
}

extension PayloadKey {
    /// What is sealed in a Live Activity push: everything else in it is read by the system, and no extension sees it.
    package static let sealedInLiveActivities: [PayloadKey] = [.attributes, .contentState]
}
