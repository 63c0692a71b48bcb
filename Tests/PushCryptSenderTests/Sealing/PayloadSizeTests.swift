import PushCryptTesting
import TestSupport
import Testing

/// Tests of the length of sealed payloads.
@Suite struct PayloadSizeTests {
    private let recipient: RecipientPublicKey

    init() throws {
        recipient = try TestKeys.device().publicKey
    }

    private func payload(length: Int) -> [UInt8] {
        let frame = #"{"aps":{"alert":""}}"#.utf8.count
        return Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: length - frame))"}}"#.utf8)
    }

    @Test(
        "Buckets hide the length",
        arguments: [
            // 32 bytes of header, padding to a bucket, 57 bytes of envelope and 80 bytes of visible
            // part.
            (30, 80 + (256 + 57) * 4 / 3 + 1), (224, 80 + (256 + 57) * 4 / 3 + 1),
            (225, 80 + (512 + 57) * 4 / 3 + 1),
            (480, 80 + (512 + 57) * 4 / 3 + 1), (992, 80 + (1024 + 57) * 4 / 3 + 1),
            (2016, 80 + (2048 + 57) * 4 / 3 + 1),
            (2017, 4096), (2923, 4096),
        ])
    func bucketsHideTheLength(length: Int, expected: Int) throws {
        let push = try Sealer(.anonymous).seal(json: payload(length: length), for: recipient)
        #expect(abs(push.payload.count - expected) <= 1, "\(push.payload.count)")
        #expect(push.payload.count <= 4096)
    }

    @Test("Maximum padding gives all payloads the same length")
    func maximumPaddingGivesAllPayloadsTheSameLength()
        throws
    {
        let sealer = Sealer(.anonymous, padding: .maximum)
        let lengths = try [30, 300, 2923].map {
            try sealer.seal(json: payload(length: $0), for: recipient).payload.count
        }
        #expect(lengths == [4096, 4096, 4096])
    }

    @Test("Without padding each byte changes the length")
    func withoutPaddingEachByteChangesTheLength() throws {
        let sealer = Sealer(.anonymous, padding: .none)
        let one = try sealer.seal(json: payload(length: 100), for: recipient).payload.count
        let other = try sealer.seal(json: payload(length: 103), for: recipient).payload.count
        #expect(other - one == 4)
    }

    @Test("A payload that is too long reports the excess")
    func aPayloadThatIsTooLongReportsTheExcess() throws {
        let error = #expect(throws: PushCryptError.self) {
            try Sealer(.anonymous, padding: .none).seal(json: payload(length: 2933), for: recipient)
        }
        // 57 + 32 + 2933 bytes are 4030 characters, and 4110 with the visible part.
        #expect(error?.code == .payloadTooLarge)
        #expect(error?.reason.contains("4110 bytes") == true)
        #expect(error?.reason.contains("14 too many") == true)
        #expect(error?.reason.contains("at least 10 bytes") == true)
    }

    @Test("The error names the placeholder if the visible part is too long")
    func theErrorNamesThePlaceholderIfTheVisiblePartIsTooLong() throws {
        for count in [3990, 5000] {
            let sealer = Sealer(
                .anonymous,
                placeholder: Placeholder(body: .text(String(repeating: "x", count: count))))
            let error = #expect(throws: PushCryptError.self) {
                try sealer.seal(json: payload(length: 30), for: recipient)
            }
            #expect(error?.reason.contains("placeholder") == true)
        }
    }

    @Test("A VoIP push can be longer") func aVoipPushCanBeLonger() throws {
        let sealer = Sealer(.anonymous, padding: .maximum)
        let voip = try sealer.seal(
            json: payload(length: 3600), for: recipient, headers: APNsHeaders(.voip))
        #expect(voip.payload.count == 5120)
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try sealer.seal(json: payload(length: 3600), for: recipient)
        }
    }

    @Test("A signature and a long placeholder leave less room")
    func aSignatureAndALongPlaceholderLeaveLessRoom() throws {
        let server = try TestKeys.sender()
        #expect(throws: Never.self) {
            try Sealer(.signed(by: server)).seal(json: payload(length: 2851), for: recipient)
        }
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try Sealer(.signed(by: server)).seal(json: payload(length: 2857), for: recipient)
        }
        let placeholder = Placeholder(body: .text(String(repeating: "ä", count: 2100)))
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try Sealer(.anonymous, placeholder: placeholder).seal(
                json: payload(length: 30), for: recipient)
        }
    }

    @Test("A payload longer than 65,535 bytes is rejected")
    func aPayloadLongerThan65535BytesIsRejected() throws {
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try Sealer(.anonymous).seal(json: payload(length: 65_536), for: recipient)
        }
        #expect(throws: PushCryptError(.payloadTooLarge, "")) {
            try Sealer(.anonymous).seal(json: payload(length: 1_000_000), for: recipient)
        }
    }

    @Test("A prepared push has the length of the sealed payload")
    func aPreparedPushHasTheLengthOfTheSealedPayload()
        throws
    {
        for length in [30, 500, 2900] {
            let prepared = try Sealer(.anonymous).prepare(json: payload(length: length))
            #expect(try prepared.seal(for: recipient).payload.count == prepared.payloadLength)
        }
    }

    @Test(
        "The error of a payload with needless escapes says what they take",
        arguments: [
            (#"\u05e9"#, 480, "Needless escapes take 1920 bytes. Encode", false),
            (#"\ud83d\ude00"#, 240, "Needless escapes take 1920 bytes. Encode", false),
            (#"\/"#, 1600, "Needless escapes take 1600 bytes. Encode", false),
            (#"\u05e9é"#, 480, "Needless escapes take 1920 bytes. Encode", true),
            ("é", 1500, "Shorten the payload by at least ", true),
        ])
    func needlessEscapes(text: String, count: Int, fix: String, isTooLong: Bool) throws {
        let body = String(repeating: text, count: count)
        let filler = isTooLong ? String(repeating: "x", count: 2500) : ""
        let json = #"{"aps":{"alert":"\#(body)"},"x":"\#(filler)"}"#
        let error = thrownError {
            try Sealer(.signed(by: TestKeys.sender())).seal(json: json.utf8, for: recipient)
        }
        #expect(error?.code == .payloadTooLarge)
        let reason = error?.reason ?? ""
        #expect(reason.contains("too many. \(fix)") && reason.hasSuffix("."), "\(reason)")
        #expect(reason.contains("Shorten the payload by at least ") == isTooLong, "\(reason)")
    }
}
