package import PushCryptCore
package import PushCryptPayload

/// The locations of Apple's keys in a scanned payload.
package struct PayloadOutline {
    /// The payload.
    let bytes: [UInt8]

    /// The scanned payload.
    package let document: JSONDocument

    /// The member `aps`, of any type.
    package let aps: JSONDocument.Value?

    /// Apple's keys in `aps`, `alert` and `sound`.
    private(set) var known: [(key: PayloadKey, member: JSONDocument.Value)] = []

    /// Other keys in the same dictionaries.
    private(set) var unknown: [(parent: PayloadKey.Parent, member: JSONDocument.Value)] = []

    package init(_ document: JSONDocument, _ bytes: [UInt8]) {
        self.document = document
        self.bytes = bytes
        aps = document.member("aps", in: bytes.span)
        guard let aps, aps.kind == .object else { return }
        known.reserveCapacity(document.values.count)
        add(.aps, aps, bytes.span)
    }

    /// Adds the members of a dictionary, those of `alert` and `sound` before themselves.
    private mutating func add(_ parent: PayloadKey.Parent, _ object: JSONDocument.Value, _ bytes: Span<UInt8>) {
        for member in document.children(of: object) {
            guard let key = PayloadKey(member, of: document, in: bytes), key.parent == parent else {
                unknown.append((parent, member))
                continue
            }
            if key == .alert, member.kind == .object { add(.alert, member, bytes) }
            if key == .sound, member.kind == .object { add(.sound, member, bytes) }
            known.append((key, member))
        }
    }

    /// Returns the member of a key, or `nil` if it is missing.
    package subscript(key: PayloadKey) -> JSONDocument.Value? {
        known.first { $0.key == key }?.member
    }

    /// Returns the sealed value in a dictionary of a Live Activity, or `nil` if it is missing.
    func sealedValue(inside key: PayloadKey) -> JSONDocument.Value? {
        document.member(Envelope.payloadKey, of: self[key], in: bytes.span)
    }

    /// A Boolean value that indicates whether the payload has the members of a withdrawal and no others.
    package var isWithdrawal: Bool {
        let bytes = bytes.span
        let names = Withdrawal.Member.allCases.map(\.rawValue)
        guard names.contains(where: { document.member($0, in: bytes) != nil }) else { return false }
        return document.children(of: document.root).allSatisfy { member in
            (names + ["aps"]).contains { document.isNamed($0, member, in: bytes) }
        }
    }

    /// A Boolean value that indicates whether the payload, or a dictionary of a Live Activity, is sealed.
    var isSealed: Bool {
        if document.member(Envelope.payloadKey, in: bytes.span) != nil { return true }
        return PayloadKey.sealedInLiveActivities.contains { sealedValue(inside: $0) != nil }
    }
}

extension PayloadKey {
    /// The keys that are sealed in a Live Activity push, all others of which the system reads.
    package static let sealedInLiveActivities: [PayloadKey] = [.attributes, .contentState]
}
