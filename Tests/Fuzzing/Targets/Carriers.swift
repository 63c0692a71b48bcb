import Foundation

@testable import PushCryptCore
@testable import PushCryptKeyring
@testable import PushCryptPayload
@testable import PushCryptReceiver
@testable import PushCryptSender
@testable import PushCryptTesting

/// Invariants of carriers.
///
/// Three bytes choose the carrier, the push type and the sealer. The payload follows.
///
/// - A sealed payload isn't longer than the carrier's limit, and has the promised length.
/// - A request's body is one strict JSON object without line breaks, and its headers have none.
/// - The device finds the sealed value at the carrier's location.
/// - A cleaned dictionary has the sealed value, `aps` and the carrier's members alone, and is
///   cleaned by itself.
/// - An opened dictionary, which has the carrier's members, gives the original again.
enum Carriers {
    private static let device = fixed { try TestKeys.device().publicKey }
    private static let types: [PushType] = [
        .alert, .background, .voip, .liveActivity, .location, .pushToTalk,
    ]
    private static let reserves: [Carrier: Int] = [.firebase: 256, .expo: 512, .oneSignal: 512]
    private static let clock = TestClock()

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let carrier = Carrier.all[Int(reader.byte()) % Carrier.all.count]
        let type = types[Int(reader.byte()) % types.count]
        let sealer = sealer(for: carrier, reader.byte())
        let json = Array(reader.rest)
        checkDictionaries(of: json, carrier)
        guard
            var prepared = accepted({ () throws(PushCryptError) in
                try sealer.prepare(json: json, headers: APNsHeaders(type))
            })
        else { return }
        let limit = type.maximumPayloadLength - (reserves[carrier] ?? 0)
        require(
            prepared.payloadLength <= limit,
            "a sealed payload isn't longer than the carrier's limit")
        guard
            let push = accepted({ () throws(PushCryptError) in
                try prepared.sealInPlace(for: device)
            })
        else {
            return require(false, "a prepared payload is sealed")
        }
        require(
            push.payload.count == prepared.payloadLength, "a sealed payload has the promised length"
        )
        if sealer.exposedKeys.isEmpty, type != .liveActivity {
            require(!contains(marker, push.payload), "a sealed payload has no content")
        }
        checkRequest(of: push, carrier)
    }

    private static func sealer(for carrier: Carrier, _ choice: UInt8) -> Sealer {
        var sealer = Sealer(.anonymous, carrier: carrier, time: clock)
        sealer.padding = [.buckets, .maximum, .none][Int(choice & 3) % 3]
        sealer.exposedKeys = choice & 4 == 0 ? [] : Set(CarrierProfile(carrier).exposedKeys)
        sealer.truncatableFields = choice & 8 == 0 ? [] : [.body, .title, .subtitle]
        return sealer
    }

    private static func checkRequest(of push: SealedPush, _ carrier: Carrier) {
        guard
            let request = accepted({ () throws(PushCryptError) in
                try push.request(to: "token", appID: "app")
            })
        else {
            return
        }
        guard let body = try? JSONDocument(scanning: request.body.span) else {
            return require(false, "a body is one strict JSON object")
        }
        require(body.whitespace == 0, "a body has no white space between tokens")
        for (name, value) in request.headers {
            require(
                (name + value).utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a header is one line")
        }
        guard carrier == .oneSignal else { return }
        let data = body.member("data", in: request.body.span)
        require((data?.range.count ?? 0) <= 2048, "the data for OneSignal has at most 2048 bytes")
    }

    // MARK: Delivery

    private static func checkDictionaries(of json: [UInt8], _ carrier: Carrier) {
        guard let delivery = try? SealedPlace(of: carrier),
            let members = (try? JSONValue(parsing: json))?.objectValue,
            let dictionary = try? JSONSerialization.jsonObject(with: Data(json))
                as? [AnyHashable: Any]
        else { return }
        let cleaned = delivery.cleaned(dictionary)
        let values = [cleaned, delivery.cleaned(cleaned)].map { try? JSONValue(userInfo: $0) }
        require(
            values[0] != nil && values[0] == values[1], "a cleaned dictionary is cleaned by itself")
        require(
            delivery.hasNoMembers(delivery.withoutSealedValue(cleaned)),
            "a cleaned dictionary has no other members")
        require(
            delivery.value(in: delivery.withoutSealedValue(cleaned)) == nil,
            "a sealed value is removed")
        let value = delivery.value(in: dictionary) as? String
        require(
            delivery.value(in: cleaned) as? String == value,
            "a cleaned dictionary keeps the sealed value")
        let text = try? SealedValue(json: json, from: carrier)
        require(
            text.map { String(decoding: $0.text, as: UTF8.self) } == value,
            "JSON and dictionaries have one location")
        let added = delivery.addedMembers(of: dictionary)
        let opened = delivery.opened(members, adding: added)
        let original = members.filter { !SealedPlace.reserved.contains($0.key) }
        require(
            SealedPlace.original(of: opened) == original, "an opened dictionary gives the original")
    }
}
