import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// Sealing for a carrier: the longest payload, the push types, and what the carrier can't express.
@Suite struct CarrierSealingTests {
    private static let wrapping = Carrier.all.filter { $0 != .apns }

    private let device: RecipientPrivateKey

    init() throws {
        device = try RecipientPrivateKey()
    }

    private func sealer(_ carrier: Carrier, signed: Bool = true) throws -> Sealer {
        var sealer = Sealer(
            signed ? .signed(by: try TestKeys.sender()) : .anonymous, padding: .none)
        sealer.carrier = carrier
        return sealer
    }

    private func alert(_ length: Int) -> String {
        #"{"aps":{"alert":""# + String(repeating: "x", count: length) + #""}}"#
    }

    private func code(_ body: () throws(PushCryptError) -> Void) -> PushCryptError.Code? {
        do throws(PushCryptError) { try body() } catch { return error.code }
        return nil
    }

    // MARK: Lengths

    @Test(
        "The longest payload of each carrier is found, and one byte more is rejected",
        arguments: Carrier.all)
    func longest(_ carrier: Carrier) throws {
        let sealer = try sealer(carrier)
        var (shortest, longest) = (1, 5000)
        while longest - shortest > 1 {
            let middle = (shortest + longest) / 2
            let fits = (try? sealer.prepare(json: alert(middle))) != nil
            if fits { shortest = middle } else { longest = middle }
        }
        let push = try sealer.seal(json: alert(shortest), for: device.publicKey)
        let value = try #require(JSONValue(parsing: push.payload)["ENCRYPTED_DATA"]?.stringValue)
        switch carrier {
        case .apns: #expect(push.payload.count > 4096 - 4 && push.payload.count <= 4096)
        case .firebase:
            #expect(push.payload.count > 4096 - 256 - 4 && push.payload.count <= 4096 - 256)
        case .expo: #expect(push.payload.count > 4096 - 512 - 4 && push.payload.count <= 4096 - 512)
        case .firebaseAndroid: #expect(push.payload.count > 4096 - 4 && push.payload.count <= 4096)
        default:
            // The message of 1463 bytes is the longest whose "data" has at most 2048 bytes.
            #expect(value.utf8.count == Base64URL.encodedLength(1463 + Envelope.overhead))
        }
        #expect {
            try sealer.prepare(json: alert(longest))
        } throws: { error in
            let error = error as? PushCryptError
            return error?.code == .payloadTooLarge
                && error?.reason.contains("by at least 1 bytes") == true
        }
    }

    @Test("Padding ends at the carrier's limit", arguments: Carrier.all)
    func padding(_ carrier: Carrier) throws {
        var lengths = Set<Int>()
        for length in stride(from: 10, through: 1300, by: 60) {
            var sealer = try sealer(carrier)
            sealer.padding = .maximum
            lengths.insert(try sealer.prepare(json: alert(length)).payloadLength)
        }
        #expect(lengths.count == 1)
    }

    // MARK: Push types

    @Test("A push type that the carrier doesn't take is rejected", arguments: Carrier.all)
    func types(_ carrier: Carrier) throws {
        let sealer = try sealer(carrier)
        let taken = PushType.sealable.filter { type in
            let json =
                type == .alert
                ? alert(1) : type == .liveActivity ? Self.liveActivity : Self.content(type)
            let code = code { () throws(PushCryptError) in
                _ = try sealer.prepare(json: json, headers: APNsHeaders(type))
            }
            #expect(code == nil || code == .notSealable)
            return code == nil
        }
        #expect(taken == (carrier == .apns ? PushType.sealable : [.alert, .background]))
    }

    private static let liveActivity = """
        {"aps":{"timestamp":1767225600,"event":"update","content-state":{"score":1}}}
        """

    private static func content(_ type: PushType) -> String {
        type == .background ? #"{"aps":{"content-available":1},"a":1}"# : #"{"aps":{},"a":1}"#
    }

    // MARK: Settings

    @Test("A readable value without a member at the carrier is rejected", arguments: wrapping)
    func exposedKeys(_ carrier: Carrier) throws {
        let json =
            #"{"aps":{"alert":"x","thread-id":"a","filter-criteria":"b","badge":1,"category":"c","#
            + #""interruption-level":"active","relevance-score":0.5,"target-content-id":"d","content-available":1,"#
            + #""sound":"e"}}"#
        let rejected = try ExposedKey.allCases.filter { key in
            var sealer = try sealer(carrier)
            sealer.exposedKeys = [key]
            let code = code { () throws(PushCryptError) in _ = try sealer.prepare(json: json) }
            #expect(code == nil || code == .invalidPayload)
            return code != nil
        }
        switch carrier {
        case .firebase: #expect(rejected.isEmpty)
        case .firebaseAndroid: #expect(rejected == ExposedKey.inAlerts)
        case .expo:
            #expect(rejected == [.threadID, .relevanceScore, .targetContentID, .filterCriteria])
        default: #expect(rejected == [.filterCriteria])
        }
    }

    @Test("OneSignal takes the name of a sound only") func soundDictionary() throws {
        let json = #"{"aps":{"alert":"x","sound":{"name":"a","volume":0.5}}}"#
        for (carrier, fails) in [(Carrier.oneSignal, true), (.expo, false), (.firebase, false)] {
            var sealer = try sealer(carrier)
            #expect(code { () throws(PushCryptError) in _ = try sealer.prepare(json: json) } == nil)
            sealer.exposedKeys = [.sound]
            let code = code { () throws(PushCryptError) in _ = try sealer.prepare(json: json) }
            #expect(code == (fails ? .invalidPayload : nil))
        }
    }

    @Test("A placeholder that the carrier can't express is rejected", arguments: wrapping)
    func placeholders(_ carrier: Carrier) throws {
        var sealer = try sealer(carrier)
        sealer.placeholder = Placeholder(title: "Bank", body: .localized(key: "ENCRYPTED"))
        let hasKeys = code { () throws(PushCryptError) in _ = try sealer.prepare(json: alert(1)) }
        #expect(hasKeys == ([.expo, .oneSignal].contains(carrier) ? .invalidPlaceholder : nil))
        sealer.placeholder = Placeholder(title: "Bank")
        let hasNoBody = code { () throws(PushCryptError) in _ = try sealer.prepare(json: alert(1)) }
        #expect(hasNoBody == (carrier == .oneSignal ? .invalidPlaceholder : nil))
    }

    @Test("Expo has no collapse ID", arguments: wrapping) func collapseID(_ carrier: Carrier) throws
    {
        let sealer = try sealer(carrier)
        let code = code { () throws(PushCryptError) in
            _ = try sealer.prepare(json: alert(1), headers: APNsHeaders(collapseID: "a"))
        }
        #expect(code == (carrier == .expo ? .invalidHeader : nil))
    }

    @Test(
        "A withdrawal gets its collapse ID as a header if the carrier has one",
        arguments: Carrier.all)
    func withdrawal(_ carrier: Carrier) throws {
        let push = try sealer(carrier).prepare(json: #"{"collapse-ids":["order-1"]}"#)
        #expect(push.headers.collapseID == (carrier == .expo ? nil : "order-1"))
    }

    @Test("A placeholder alone follows the rules of the carrier", arguments: wrapping)
    func placeholderAlone(_ carrier: Carrier) throws {
        let push = try SealedPush.placeholder(.standard, headers: APNsHeaders(), carrier: carrier)
        #expect(push.carrier == carrier)
        let json = #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1}}"#
        #expect(String(decoding: push.payload, as: UTF8.self) == json)
        let text = Placeholder(title: "Bank", body: .localized(key: "ENCRYPTED"))
        let hasKeys = code { () throws(PushCryptError) in
            _ = try SealedPush.placeholder(text, headers: APNsHeaders(), carrier: carrier)
        }
        #expect(hasKeys == ([.expo, .oneSignal].contains(carrier) ? .invalidPlaceholder : nil))
        let hasCollapseID = code { () throws(PushCryptError) in
            _ = try SealedPush.placeholder(
                .standard, headers: APNsHeaders(collapseID: "a"), carrier: carrier)
        }
        #expect(hasCollapseID == (carrier == .expo ? .invalidHeader : nil))
    }

    // MARK: Devices

    @Test("A device with a token of another carrier is rejected", arguments: Carrier.all)
    func otherCarrier(_ carrier: Carrier) throws {
        let sealer = try sealer(carrier)
        let registration = Registration(key: device.publicKey, generation: 1, created: Date())
        for other in Carrier.all + [Carrier(rawValue: "relay")] {
            let token = other == .apns ? String(repeating: "0a", count: 32) : "token"
            let recipient = try Recipient(
                registration: registration, deviceToken: token, carrier: other)
            let code = code { () throws(PushCryptError) in
                _ = try sealer.seal(json: alert(1), for: recipient)
            }
            #expect(code == (other == carrier ? nil : .wrongCarrier))
        }
    }

    @Test("A relay of your own gets the payload of APNs, and has no request") func relay() throws {
        let relay = Carrier(rawValue: "relay")
        let push = try sealer(relay).seal(json: alert(1), for: device.publicKey)
        #expect(push.carrier == relay)
        #expect(try JSONValue(parsing: push.payload)["aps"] != nil)
        #expect(code { () throws(PushCryptError) in _ = try push.request(to: "1") } == .notSealable)
    }
}
