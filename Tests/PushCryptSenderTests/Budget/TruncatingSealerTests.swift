import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptSender

/// Tests of truncation from sealing to opening.
@Suite struct TruncatingSealerTests {
    private let device: RecipientPrivateKey
    private let signer: SigningKey
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        signer = try TestKeys.sender()
        opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [signer.publicKey]))
    }

    private func sealer(_ fields: [AlertField] = [.body], padding: Padding = .none) -> Sealer {
        Sealer(.signed(by: signer), padding: padding, truncatableFields: fields)
    }

    /// Returns a payload with a custom member of a length.
    private func payload(_ alert: [UInt8], custom count: Int) -> [UInt8] {
        #"{"aps":{"alert":"#.utf8 + alert + #"},"k":""#.utf8
            + [UInt8](repeating: 0x78, count: count) + #""}"#.utf8
    }

    /// Returns the length of a custom member that leaves room for the alert.
    private func custom(leaving room: Int, type: PushType = .alert) throws -> Int {
        let budget = try sealer().budget(json: payload(Array(#""""#.utf8), custom: 0), type: type)
        return budget.remaining + 2 - room
    }

    private func reason(_ body: () throws -> PreparedPush) throws -> String {
        let error = try #require(throws: PushCryptError.self) { try body() }
        #expect(error.code == .payloadTooLarge)
        return error.reason
    }

    @Test("The opened text is as long as fits", arguments: try TruncationText.all())
    func theOpenedTextIsAsLongAsFits(text: TruncationText) throws {
        let forms = try text.forms()
        let whole = forms[0].spelling
        for room in Set([5, 6, 7, whole.count / 2, whole.count - 1, whole.count])
        where whole.count > 5 && room >= 5 {
            let count = try custom(leaving: room)
            let json = payload(whole, custom: count)
            let push = try sealer().seal(json: json, for: device.publicKey)
            let form = try #require(forms.first { $0.spelling.count <= room })
            #expect(
                try opener.open(json: push.payload).payload == payload(form.spelling, custom: count)
            )
            #expect(push.payload.count <= 4096)
            let removed = text.characters.count - form.kept
            let cut = Truncation(
                field: .body, keptCharacters: form.kept, removedCharacters: removed)
            #expect(push.truncations == (removed > 0 ? [cut] : []))
            // A sealer that doesn't truncate refuses the next longer text.
            guard let longer = forms.last(where: { $0.spelling.count > room }) else { continue }
            let refused = payload(longer.spelling, custom: count)
            #expect(throws: PushCryptError(.payloadTooLarge, "")) {
                try sealer([]).prepare(json: refused)
            }
        }
    }

    @Test("Every push reports its truncations") func everyPushReportsItsTruncations() throws {
        let json = payload(
            Array(#"{"title":"Title","body":"0123456789"}"#.utf8), custom: try custom(leaving: 33))
        let prepared = try sealer().prepare(json: json)
        #expect(
            prepared.truncations == [
                Truncation(field: .body, keptCharacters: 3, removedCharacters: 7)
            ])
        #expect(try prepared.seal(for: device.publicKey).truncations == prepared.truncations)
        let pushes = try prepared.seal(for: [device.publicKey, TestKeys.device(.bob).publicKey])
        #expect(pushes.map(\.truncations) == [prepared.truncations, prepared.truncations])
    }

    @Test("Padding takes no room from the text", arguments: Padding.allCases)
    func paddingTakesNoRoomFromTheText(padding: Padding) throws {
        let count = try custom(leaving: 21)
        let json = payload(
            try shortestSpelling(of: String(repeating: "é", count: 100)), custom: count)
        let push = try sealer(padding: padding).seal(json: json, for: device.publicKey)
        #expect(
            push.truncations == [Truncation(field: .body, keptCharacters: 8, removedCharacters: 92)]
        )
        #expect(push.payload.count == 4096)
    }

    @Test("A text is truncated only if it is too long and listed")
    func aTextIsTruncatedOnlyIfItIsTooLongAndListed()
        throws
    {
        let json = payload(Array(#""0123456789""#.utf8), custom: try custom(leaving: 12))
        #expect(try sealer().prepare(json: json).truncations.isEmpty)
        let longer = payload(Array(#""0123456789A""#.utf8), custom: try custom(leaving: 12))
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try sealer([]).prepare(json: longer)
        }
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try sealer([.title, .subtitle]).prepare(json: longer)
        }
        #expect(try sealer().prepare(json: longer).truncations.count == 1)
    }

    @Test("White space and escapes are removed before any text")
    func whiteSpaceAndEscapesAreRemovedBeforeAnyText()
        throws
    {
        let json = payload(Array(#"  "0123456789"   "#.utf8), custom: try custom(leaving: 12))
        #expect(try sealer().prepare(json: json).truncations.isEmpty)
        let escaped = payload(Array(#" "\u0030123456789" "#.utf8), custom: try custom(leaving: 12))
        let push = try sealer().seal(json: escaped, for: device.publicKey)
        #expect(push.truncations.isEmpty)
        let expected = payload(Array(#""0123456789""#.utf8), custom: try custom(leaving: 12))
        #expect(try opener.open(json: push.payload).payload == expected)
    }

    @Test("Texts are truncated in turn") func textsAreTruncatedInTurn() throws {
        let alert = Array(
            #"{"title":"0123456789","subtitle":"0123456789","body":"0123456789"}"#.utf8)
        for (room, fields) in [
            (alert.count - 1, [AlertField.body]), (alert.count - 7, [.body]),
            (alert.count - 8, [.body, .subtitle]),
            (alert.count - 15, [.body, .subtitle, .title]),
            (alert.count - 21, [.body, .subtitle, .title]),
        ] {
            let json = payload(alert, custom: try custom(leaving: room))
            #expect(
                try sealer([.body, .subtitle, .title]).prepare(json: json).truncations.map(\.field)
                    == fields)
        }
    }

    @Test("A payload that is still too long reports the excess")
    func aPayloadThatIsStillTooLongReportsTheExcess()
        throws
    {
        for excess in [1, 2, 3, 4, 5, 100, 3000] {
            let count = try custom(leaving: 5) + excess
            let reason = try reason {
                try sealer().prepare(json: payload(Array(#""0123456789""#.utf8), custom: count))
            }
            #expect(reason.contains("at least \(excess) bytes"), "\(reason)")
            // The base64url of 57 bytes of envelope, 32 of header and 72 of signature, and the visible part.
            let original = payload(Array(#""…""#.utf8), custom: count).count
            let visible =
                #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1},"ENCRYPTED_DATA":""}"#
                .utf8
                .count
            let length = visible + ((57 + 32 + original + 72) * 4 + 2) / 3
            #expect(reason.contains("would have \(length) bytes"), "\(reason)")
            #expect(reason.contains("\(length - 4096) too many"), "\(reason)")
        }
    }

    @Test("A VoIP push is truncated at its own limit") func aVoipPushIsTruncatedAtItsOwnLimit()
        throws
    {
        let json = payload(
            Array(#""0123456789""#.utf8), custom: try custom(leaving: 9, type: .voip))
        let push = try sealer().seal(json: json, for: device.publicKey, headers: APNsHeaders(.voip))
        #expect(
            push.truncations == [Truncation(field: .body, keptCharacters: 4, removedCharacters: 6)])
        #expect(push.payload.count == 5120)
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try sealer([]).prepare(json: json, headers: APNsHeaders(.voip))
        }
    }

    @Test("The alert of a Live Activity is not truncated")
    func theAlertOfALiveActivityIsNotTruncated() throws {
        // Each character has four bytes, so one fewer is enough for each of these.
        let text = String(repeating: "😀", count: 20)
        var json: [UInt8] = []
        for count in 2600...3000 {
            let state = String(repeating: "x", count: count)
            let frame =
                #"{"aps":{"timestamp":1,"event":"update","alert":{"body":"\#(text)"},"content-state":{"k":"\#(state)"}}}"#
            json = Array(frame.utf8)
            if try sealer().budget(json: json, type: .liveActivity).remaining == -1 { break }
        }
        _ = try reason { try sealer().prepare(json: json, headers: APNsHeaders(.liveActivity)) }
    }

    @Test("Exposed values are not truncated") func exposedValuesAreNotTruncated() throws {
        let alert = Array(#""0123456789","category":"C\u0061\/","sound":"s""#.utf8)
        var exposing = sealer()
        exposing.exposedKeys = [.category, .sound]
        let budget = try exposing.budget(json: payload(alert, custom: 0))
        let json = payload(alert, custom: budget.remaining + 1)
        let push = try exposing.seal(json: json, for: device.publicKey)
        #expect(
            push.truncations == [Truncation(field: .body, keptCharacters: 6, removedCharacters: 4)])
        #expect(
            String(decoding: push.payload, as: UTF8.self).contains(
                #","category":"C\u0061\/","sound":"s"}"#))
    }
}
