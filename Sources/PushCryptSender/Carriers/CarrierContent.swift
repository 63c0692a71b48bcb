internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring
internal import PushCryptPayload

/// The members of a sealed push, for the request of a carrier.
struct CarrierContent {
    /// The payload.
    let payload: [UInt8]

    /// The headers of a request to APNs.
    let headers: APNsHeaders

    private let issuedAt: UInt64?

    private let document: JSONDocument

    init(_ push: SealedPush) throws(PushCryptError) {
        payload = push.payload
        headers = push.headers
        issuedAt = push.issuedAt
        document = try JSONDocument(scanning: push.payload.span)
    }

    // MARK: Members

    /// Returns a member of `aps` as it is in the payload; `nil` if there is none.
    func aps(_ key: String) -> [UInt8]? { json(of: member(key, of: aps)) }

    /// Returns a string of `aps`; `nil` if it's missing.
    func text(_ key: String) -> String? { document.string(member(key, of: aps), in: payload.span) }

    /// Returns a line of the placeholder as it is in the payload; `nil` if there is none.
    func alert(_ key: String) -> [UInt8]? { json(of: member(key, of: member("alert", of: aps))) }

    /// The object with the sealed value alone, or an empty object if nothing is sealed.
    var data: JSONObjectText {
        var data = JSONObjectText()
        if let value = json(of: member(Envelope.payloadKey, of: document.root)) {
            data.append(Envelope.payloadKey, json: value)
        }
        return data
    }

    private var aps: JSONDocument.Value? { member("aps", of: document.root) }

    private func member(_ name: String, of object: JSONDocument.Value?) -> JSONDocument.Value? {
        document.member(name, of: object, in: payload.span)
    }

    private func json(of value: JSONDocument.Value?) -> [UInt8]? {
        value.map { Array(payload[$0.range]) }
    }

    // MARK: Time

    /// The number of seconds for which the carrier may keep the push, up to the carrier's limit: 0
    /// for one attempt.
    func secondsToLive(atMost limit: UInt64) -> UInt64? {
        switch headers.expiration {
        case nil: return nil
        case .once: return 0
        case .at(let date):
            guard let issuedAt else { return nil }
            let end = date.millisecondsSince1970
            return min(end > issuedAt ? (end - issuedAt) / 1000 : 0, limit)
        }
    }
}
