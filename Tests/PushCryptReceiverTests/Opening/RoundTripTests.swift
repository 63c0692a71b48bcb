import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Payloads that arrive byte for byte, with each padding and each form of a key.
@Suite struct RoundTripTests {
    /// The forms of a public key.
    enum KeyForm: CaseIterable {
        case raw, jwk, set
    }

    /// Payloads with spellings that must not change.
    static let payloads: [String] = [
        #"{"aps":{"alert":"a"}}"#,
        #"{"aps":{"alert":{"title":"Hi","body":"Grüße 👨‍👩‍👧"}},"big":12345678901234567890,"price":1.10,"e":1E+2}"#,
        #"{"aps":{"alert":{"body":"\/ \u00e9 é \ud83d\ude00"}},"url":"https:\/\/example.com/a"}"#,
        #"{"custom":{"z":1,"a":[null,true,{"":""}]},"aps":{"alert":{"loc-key":"K","loc-args":["a"]},"future-key":{}}}"#,
    ]

    @Test("Each payload arrives byte for byte", arguments: KeyForm.allCases, Padding.allCases)
    func eachPayloadArrivesByteForByte(form: KeyForm, padding: Padding) throws {
        let device = try TestKeys.device()
        let server = try TestKeys.sender()
        let recipient = try Self.publicKey(of: device, as: form)
        let store = InMemoryKeyStore([device])
        for payload in Self.payloads {
            for (authentication, policy) in [
                (
                    SenderAuthentication.signed(by: server),
                    SenderPolicy.signed(by: [server.publicKey])
                ),
                (.signed(by: server), .anyone),
                (.anonymous, .anyone),
            ] {
                let push = try Sealer(authentication, padding: padding).seal(
                    json: payload.utf8, for: recipient)
                #expect(push.payload.count <= 4096)
                let opened = try Opener(keys: store, senderPolicy: policy).open(json: push.payload)
                #expect(opened.payload == Array(payload.utf8))
                #expect(opened.keyID == device.publicKey.keyID)
            }
        }
    }

    @Test("Each length that fits arrives", arguments: Padding.allCases, [true, false])
    func eachLengthThatFitsArrives(padding: Padding, signed: Bool) throws {
        let device = try TestKeys.device()
        let server = try TestKeys.sender()
        let sealer = Sealer(signed ? .signed(by: server) : .anonymous, padding: padding)
        let opener = Opener(
            keys: InMemoryKeyStore([device]),
            senderPolicy: signed ? .signed(by: [server.publicKey]) : .anyone)
        var length = 1
        var longest = 0
        while true {
            let payload = Self.payload(textLength: length)
            do {
                let push = try sealer.seal(json: payload, for: device.publicKey)
                #expect(push.payload.count <= 4096)
                #expect(try opener.open(json: push.payload).payload == payload)
                longest = payload.count
            } catch {
                #expect(error.code == .payloadTooLarge)
                break
            }
            // Each length near the limits of buckets and near the end, and some in between.
            length +=
                length > 2700 || length % 256 > 240 || length % 256 < 8
                ? 1 : LongRun.count(97, full: 37)
        }
        // 4096 bytes without the frame of 80, in base64, without 57 for the envelope, 32 for the
        // header and 72 for a signature.
        #expect(longest == (signed ? 2851 : 2923))
    }

    @Test("Only white space between tokens is removed") func onlyWhiteSpaceBetweenTokensIsRemoved()
        throws
    {
        let device = try TestKeys.device()
        let spaced =
            "\n{ \"aps\" :\t{\"alert\":{\"body\" : \"a  b { c\"} },\r\n \"n\": [ 1.10 , -0.0e5 ] } \n"
        let push = try Sealer(.anonymous).seal(json: spaced.utf8, for: device.publicKey)
        let opened = try Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone).open(
            json: push.payload)
        #expect(
            String(decoding: opened.payload, as: UTF8.self)
                == #"{"aps":{"alert":{"body":"a  b { c"}},"n":[1.10,-0.0e5]}"#)
    }

    @Test("Two sealings of a payload share only the header")
    func twoSealingsOfAPayloadShareOnlyTheHeader() throws {
        let device = try TestKeys.device()
        let one = try Sealer(.anonymous).seal(json: Self.payloads[0].utf8, for: device.publicKey)
        let other = try Sealer(.anonymous).seal(json: Self.payloads[0].utf8, for: device.publicKey)
        let first = String(
            decoding: try SealedValue(json: one.payload, from: .apns).text, as: UTF8.self)
        let second = String(
            decoding: try SealedValue(json: other.payload, from: .apns).text, as: UTF8.self)
        #expect(first.prefix(12) == second.prefix(12))
        #expect(first.dropFirst(12).prefix(43) != second.dropFirst(12).prefix(43))
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        #expect(
            try opener.open(json: one.payload).messageID
                != opener.open(json: other.payload).messageID)
    }

    static func payload(textLength: Int) -> [UInt8] {
        Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: textLength))"}}"#.utf8)
    }

    static func publicKey(of device: RecipientPrivateKey, as form: KeyForm) throws
        -> RecipientPublicKey
    {
        let key = device.publicKey
        switch form {
        case .raw:
            let text = Data(key.rawRepresentation).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                .dropLast()
            return try RecipientPublicKey(parsing: String(text))
        case .jwk: return try RecipientPublicKey(parsing: key.jwk)
        case .set: return try RecipientPublicKey(parsing: #"{"keys":[\#(key.jwk)]}"# + "\n")
        }
    }
}
