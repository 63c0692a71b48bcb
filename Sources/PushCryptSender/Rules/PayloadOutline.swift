package import PushCryptCore
package import PushCryptPayload

/// The locations of Apple's keys in a scanned payload.
package struct PayloadOutline {
    /// The payload.
    package let bytes: [UInt8]

    /// The scanned payload.
    package let document: JSONDocument

    /// The member `aps`, of any type.
    package let aps: JSONDocument.Value?

    /// Apple's keys in `aps`, `alert` and `sound`.
    package private(set) var known: [KnownMember] = []

    /// Other keys in the same dictionaries.
    package private(set) var unknown: [UnknownMember] = []

    /// A member with one of Apple's keys.
    package struct KnownMember: Sendable {
        package let key: PayloadKey
        package let member: JSONDocument.Value
    }

    /// A member of one of Apple's dictionaries with another key.
    package struct UnknownMember: Sendable {
        package let parent: PayloadKey.Parent
        package let member: JSONDocument.Value
    }

    package init(_ document: JSONDocument, _ bytes: [UInt8]) {
        self.document = document
        self.bytes = bytes
        aps = document.member("aps", in: bytes.span)
        guard let aps, aps.kind == .object else { return }
        known.reserveCapacity(document.values.count)
        add(.aps, aps, in: bytes.span)
    }

    /// Adds the members of a dictionary.
    ///
    /// The members of `alert` and `sound` come before these two.
    private mutating func add(
        _ parent: PayloadKey.Parent, _ object: JSONDocument.Value, in bytes: Span<UInt8>
    ) {
        for member in document.children(of: object) {
            guard let key = PayloadKey(member, of: document, in: bytes), key.parent == parent else {
                unknown.append(UnknownMember(parent: parent, member: member))
                continue
            }
            if key == .alert, member.kind == .object { add(.alert, member, in: bytes) }
            if key == .sound, member.kind == .object { add(.sound, member, in: bytes) }
            known.append(KnownMember(key: key, member: member))
        }
    }

    /// Returns the member of a key, or `nil` if it is missing.
    package subscript(key: PayloadKey) -> JSONDocument.Value? {
        known.first { $0.key == key }?.member
    }

    /// Returns the sealed value in a dictionary of a Live Activity, or `nil` if it is missing.
    package func sealedValue(inside key: PayloadKey) -> JSONDocument.Value? {
        document.member(Envelope.payloadKey, of: self[key], in: bytes.span)
    }

    /// A Boolean value that indicates whether the payload has the members of a withdrawal and no
    /// others.
    package var isWithdrawal: Bool {
        let bytes = bytes.span
        let members = Withdrawal.Member.allCases
        guard members.contains(where: { document.member($0.rawValue, in: bytes) != nil }) else {
            return false
        }
        return document.children(of: document.root).allSatisfy { member in
            document.isNamed("aps", member, in: bytes)
                || members.contains { document.isNamed($0.rawValue, member, in: bytes) }
        }
    }

    /// A Boolean value that indicates whether the payload, or a dictionary of a Live Activity, is
    /// sealed.
    package var isSealed: Bool {
        if document.member(Envelope.payloadKey, in: bytes.span) != nil { return true }
        return PayloadKey.sealedInLiveActivities.contains { sealedValue(inside: $0) != nil }
    }
}

extension PayloadKey {
    /// The keys that a Live Activity push seals.
    ///
    /// The system reads all other keys.
    package static let sealedInLiveActivities: [PayloadKey] = [.attributes, .contentState]

    /// The times of a Live Activity, in seconds since 1970.
    package static let activityTimes: [PayloadKey] = [.timestamp, .staleDate, .dismissalDate]
}
