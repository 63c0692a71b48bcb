import PushCryptTesting
import Testing

@testable import PushCryptSender

/// Tests of the room and the lengths of the messages in one payload.
@Suite struct MessageLayoutTests {
    /// Returns the number of characters in the text of a message: 57 bytes of envelope, in
    /// base64url.
    private func text(_ message: Int) -> Int {
        ((message + 57) * 4 + 2) / 3
    }

    /// Returns the length of the longest message with a text of at most some characters, by trial.
    private func longest(_ characters: Int) -> Int {
        var message = characters * 3 / 4 - 60
        while text(message + 1) <= characters { message += 1 }
        return message
    }

    @Test("Capacity and text length are inverse functions")
    func capacityAndTextLengthAreInverseFunctions() {
        for characters in 76...5200 {
            #expect(MessageLayout.capacity(characters) == longest(characters))
        }
        for message in 0...4000 {
            #expect(MessageLayout.textLength(message) == text(message))
            #expect(MessageLayout.capacity(MessageLayout.textLength(message)) == message)
            #expect(MessageLayout.capacity(MessageLayout.textLength(message) - 1) < message)
        }
        for characters in [0, -1, -5000] { #expect(MessageLayout.capacity(characters) < 0) }
    }

    @Test("A single message has all the room", arguments: Padding.allCases)
    func aSingleMessageHasAllTheRoom(padding: Padding) throws {
        var random = RandomPayload(seed: 1)
        for _ in 0..<5000 {
            let need = Int.random(in: 32...4000, using: &random)
            let room = Int.random(in: -10...5200, using: &random)
            guard text(need) <= room else { continue }
            let length = MessageLayout.paddedLength(need, beside: nil, room: room, padding)
            #expect(length == padding.paddedLength(need, limit: longest(room)))
            #expect(length >= need && text(length) <= room)
        }
    }

    @Test("Two messages get what they need and never exceed the room", arguments: Padding.allCases)
    func twoMessagesGetWhatTheyNeedAndNeverExceedTheRoom(padding: Padding) throws {
        var random = RandomPayload(seed: 2)
        var fitting = 0
        for _ in 0..<20_000 {
            let (first, second) = needs(&random)
            let room = Int.random(in: -10...5200, using: &random)
            guard let lengths = lengths(first, second, room, padding) else { continue }
            fitting += 1
            #expect(
                lengths.first >= first && lengths.second >= second, "\(first) \(second) \(room)")
            #expect(
                text(lengths.first) + text(lengths.second) <= room, "\(first) \(second) \(room)")
            if padding == .none { #expect(lengths == (first, second)) }
        }
        #expect(fitting > 4000)
    }

    @Test("The order of two messages does not change their lengths", arguments: Padding.allCases)
    func theOrderOfTwoMessagesDoesNotChangeTheirLengths(padding: Padding) {
        var random = RandomPayload(seed: 3)
        for _ in 0..<5000 {
            let (first, second) = needs(&random)
            let room = Int.random(in: 0...5200, using: &random)
            let swapped = lengths(second, first, room, padding)
            let lengths = lengths(first, second, room, padding)
            #expect(lengths?.first == swapped?.second && lengths?.second == swapped?.first)
        }
    }

    @Test(
        "If both fit half the room, neither length depends on the other",
        arguments: Padding.allCases)
    func ifBothFitHalfTheRoomNeitherLengthDependsOnTheOther(padding: Padding) {
        var random = RandomPayload(seed: 4)
        for _ in 0..<5000 {
            let room = Int.random(in: 300...5200, using: &random)
            let half = longest(room / 2)
            let needs = (0..<3).map { _ in Int.random(in: 32...half, using: &random) }
            let first = lengths(needs[0], needs[1], room, padding)?.first
            #expect(first == padding.paddedLength(needs[0], limit: half))
            #expect(lengths(needs[0], needs[2], room, padding)?.first == first)
            #expect(lengths(needs[2], needs[0], room, padding)?.second == first)
        }
    }

    @Test("With maximum padding the longer message takes the rest of the room")
    func withMaximumPaddingTheLongerMessageTakesTheRestOfTheRoom() throws {
        var random = RandomPayload(seed: 5)
        var unequal = 0
        for _ in 0..<5000 {
            let (first, second) = needs(&random)
            let room = Int.random(in: 300...5200, using: &random)
            guard let lengths = lengths(first, second, room, .maximum) else { continue }
            guard max(first, second) > longest(room / 2) else {
                #expect(lengths == (longest(room / 2), longest(room / 2)))
                continue
            }
            unequal += 1
            let (short, long) = first < second ? lengths : (lengths.second, lengths.first)
            #expect(long == longest(room - text(short)))
            // The shorter message has a bucket if the bucket leaves enough room for the longer one.
            let limit = longest(room - text(max(first, second)))
            #expect(short == Padding.buckets.paddedLength(min(first, second), limit: limit))
        }
        #expect(unequal > 500)
    }

    /// Returns the padded lengths of two messages; `nil` if they don't fit.
    private func lengths(
        _ first: Int, _ second: Int, _ room: Int, _ padding: Padding
    ) -> (first: Int, second: Int)? {
        guard text(first) + text(second) <= room else { return nil }
        return (
            MessageLayout.paddedLength(first, beside: second, room: room, padding),
            MessageLayout.paddedLength(second, beside: first, room: room, padding)
        )
    }

    /// Returns two lengths, similar or very different.
    private func needs(_ random: inout RandomPayload) -> (Int, Int) {
        let limits = [300, 1500, 4000]
        return (
            Int.random(in: 32...random.pick(limits), using: &random),
            Int.random(in: 32...random.pick(limits), using: &random)
        )
    }

    // MARK: Room

    private func room(
        _ json: String, _ type: PushType = .alert, isSigned: Bool = false
    ) throws -> (room: MessageLayout, visible: Int) {
        let original = try OriginalPayload(Array(json.utf8))
        let sealer = Sealer(isSigned ? .signed(by: try TestKeys.sender()) : .anonymous)
        let layout = try MessageLayout(original, SealingPlan(sealer, type))
        return (layout, layout.visible.bytes.count)
    }

    @Test("A message needs room for its header and its signature")
    func aMessageNeedsRoomForItsHeaderAndItsSignature()
        throws
    {
        let json = #"{"aps":{"alert":"a"}}"#
        let (plain, visible) = try room(json)
        #expect(plain.length(at: 0) == 32 + json.utf8.count && plain.fits)
        #expect(visible == 80 && plain.room == 4016)
        // 4016 characters are 3012 bytes.
        #expect(plain.remaining == 3012 - 57 - 32 - json.utf8.count)
        #expect(plain.neededCharacters == ((57 + 32 + json.utf8.count) * 4 + 2) / 3)
        let signed = try room(json, isSigned: true).room
        #expect(
            signed.length(at: 0) == 32 + json.utf8.count + 72
                && signed.remaining == plain.remaining - 72)
    }

    @Test("Two messages of a Live Activity need room for each")
    func twoMessagesOfALiveActivityNeedRoomForEach() throws {
        let json =
            #"{"aps":{"event":"start","content-state":{"a":1},"attributes":{},"attributes-type":"T","timestamp":1}}"#
        let (room, visible) = try room(json, .liveActivity)
        #expect(room.length(at: 0) == 32 + 7 && room.length(at: 1) == 32 + 2)
        #expect(visible == json.utf8.count - 9 + 2 * #"{"ENCRYPTED_DATA":""}"#.utf8.count)
        #expect(room.room == 4096 - visible)
        let texts = [57 + 39, 57 + 34].map { ($0 * 4 + 2) / 3 }
        #expect(room.neededCharacters == texts[0] + texts[1])
        #expect(room.remaining == (4096 - visible - texts[1]) * 3 / 4 - 57 - 39)
    }

    @Test(
        "Nothing remains if the visible bytes alone are too long",
        arguments: [3940, 4015, 4016, 4017, 5000])
    func nothingRemainsIfTheVisibleBytesAloneAreTooLong(count: Int) throws {
        let original = try OriginalPayload(Array(#"{"aps":{"alert":"a"}}"#.utf8))
        let placeholder = Placeholder(
            body: .text("(Encrypted)" + String(repeating: "x", count: count)))
        let layout = try MessageLayout(
            original, SealingPlan(Sealer(.anonymous, placeholder: placeholder), .alert))
        #expect(layout.room == 4096 - 80 - count)
        #expect(!layout.fits && -layout.remaining > 21, "The excess is greater than the original.")
    }

    @Test(
        "A payload fits if and only if its remaining bytes are not negative",
        arguments: [PushType.alert, .liveActivity])
    func aPayloadFitsIfItsRemainingBytesAreNotNegative(type: PushType) throws {
        for count in 2700...2950 {
            let text = String(repeating: "x", count: count)
            let json =
                type == .alert
                ? #"{"aps":{"alert":"\#(text)"}}"#
                : #"{"aps":{"event":"start","content-state":{"a":"\#(text)"},"attributes":{},"timestamp":1}}"#
            let layout = try room(json, type).room
            #expect(layout.fits == (layout.remaining >= 0), "\(count)")
        }
    }
}
