import PushCryptTesting
import Testing

@testable import PushCryptSender

/// How two messages share the room that APNs leaves.
@Suite struct PaddedLengthsTests {
    /// How many characters the text of a message takes: 57 bytes of envelope, in base64url.
    private func text(_ message: Int) -> Int {
        ((message + 57) * 4 + 2) / 3
    }

    /// The longest message whose text fits into some characters, by trying.
    private func longest(_ characters: Int) -> Int {
        var message = characters * 3 / 4 - 60
        while text(message + 1) <= characters { message += 1 }
        return message
    }

    @Test func capacityAndTextLengthAreEachOthersReverse() {
        for characters in 76...5200 {
            #expect(PaddedLengths.capacity(characters) == longest(characters))
        }
        for message in 0...4000 {
            #expect(PaddedLengths.textLength(message) == text(message))
            #expect(PaddedLengths.capacity(PaddedLengths.textLength(message)) == message)
            #expect(PaddedLengths.capacity(PaddedLengths.textLength(message) - 1) < message)
        }
        for characters in [0, -1, -5000] { #expect(PaddedLengths.capacity(characters) < 0) }
    }

    @Test(arguments: Padding.allCases)
    func oneMessageHasAllTheRoom(padding: Padding) throws {
        var random = RandomPayload(seed: 1)
        for _ in 0..<5000 {
            let need = Int.random(in: 27...4000, using: &random)
            let room = Int.random(in: -10...5200, using: &random)
            let lengths = PaddedLengths(need, nil, room: room, padding)
            #expect((lengths != nil) == (text(need) <= room))
            guard let lengths else { continue }
            #expect(lengths.second == nil)
            #expect(lengths.first == padding.paddedLength(need, limit: longest(room)))
            #expect(lengths.first >= need && text(lengths.first) <= room)
        }
    }

    @Test(arguments: Padding.allCases)
    func twoMessagesNeverExceedTheRoomAndGetWhatTheyNeed(padding: Padding) throws {
        var random = RandomPayload(seed: 2)
        var fitting = 0
        for _ in 0..<20_000 {
            let (first, second) = needs(&random)
            let room = Int.random(in: -10...5200, using: &random)
            let lengths = PaddedLengths(first, second, room: room, padding)
            // Where both fit as they are, they fit padded; where they do not, nothing helps.
            #expect((lengths != nil) == (text(first) + text(second) <= room), "\(first) \(second) \(room)")
            guard let lengths else { continue }
            fitting += 1
            let other = try #require(lengths.second)
            #expect(lengths.first >= first && other >= second, "\(first) \(second) \(room)")
            #expect(text(lengths.first) + text(other) <= room, "\(first) \(second) \(room)")
            if padding == .none { #expect(lengths.first == first && other == second) }
        }
        #expect(fitting > 4000)
    }

    @Test(arguments: Padding.allCases)
    func theOrderOfTheTwoDoesNotMatter(padding: Padding) {
        var random = RandomPayload(seed: 3)
        for _ in 0..<5000 {
            let (first, second) = needs(&random)
            let room = Int.random(in: 0...5200, using: &random)
            let lengths = PaddedLengths(first, second, room: room, padding)
            let swapped = PaddedLengths(second, first, room: room, padding)
            #expect(lengths?.first == swapped?.second && lengths?.second == swapped?.first)
        }
    }

    @Test(arguments: Padding.allCases)
    func whileBothFitHalfTheRoomNeitherLengthSaysAnythingAboutTheOther(padding: Padding) {
        var random = RandomPayload(seed: 4)
        for _ in 0..<5000 {
            let room = Int.random(in: 300...5200, using: &random)
            let half = longest(room / 2)
            let needs = (0..<3).map { _ in Int.random(in: 27...half, using: &random) }
            let first = PaddedLengths(needs[0], needs[1], room: room, padding)?.first
            #expect(first == padding.paddedLength(needs[0], limit: half))
            #expect(PaddedLengths(needs[0], needs[2], room: room, padding)?.first == first)
            #expect(PaddedLengths(needs[2], needs[0], room: room, padding)?.second == first)
        }
    }

    @Test func withTheMostPaddingTheLongerOneTakesAllThatIsLeft() throws {
        var random = RandomPayload(seed: 5)
        var unequal = 0
        for _ in 0..<5000 {
            let (first, second) = needs(&random)
            let room = Int.random(in: 300...5200, using: &random)
            guard let lengths = PaddedLengths(first, second, room: room, .maximum) else { continue }
            let other = try #require(lengths.second)
            guard max(first, second) > longest(room / 2) else {
                #expect(lengths.first == longest(room / 2) && other == longest(room / 2))
                continue
            }
            unequal += 1
            let (short, long) = first < second ? (lengths.first, other) : (other, lengths.first)
            #expect(long == longest(room - text(short)))
            // The shorter one is in a bucket, where there is one that leaves the longer one what it needs.
            let limit = longest(room - text(max(first, second)))
            #expect(short == Padding.buckets.paddedLength(min(first, second), limit: limit))
        }
        #expect(unequal > 500)
    }

    /// Two that are alike, or one much longer than the other.
    private func needs(_ random: inout RandomPayload) -> (Int, Int) {
        let limits = [300, 1500, 4000]
        return (
            Int.random(in: 27...random.pick(limits), using: &random),
            Int.random(in: 27...random.pick(limits), using: &random)
        )
    }
}
