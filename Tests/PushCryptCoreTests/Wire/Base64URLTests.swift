import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct Base64URLTests {
    static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private func decode(_ text: String) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        return try Base64URL.decode(bytes.span)
    }

    @Test(
        "The vectors of RFC 4648 are reproduced",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func agreesWithTheVectorsOfTheStandard(_ text: String, _ encoded: String) throws {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(try decode(encoded) == Array(text.utf8))
    }

    @Test("Foundation encodes the same text", arguments: 0...70)
    func agreesWithFoundationAtEveryLength(_ count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        for bytes in [
            random.bytes(count), random.bytes(count), [UInt8](repeating: 0xFF, count: count),
        ] {
            let expected = foundationBase64URL(bytes)
            #expect(Base64URL.encode(bytes) == expected)
            #expect(try decode(expected) == bytes)
            #expect(Base64URL.encodedLength(count) == expected.utf8.count)
            #expect(Base64URL.capacity(expected.utf8.count) == count)
        }
    }

    @Test("Encoding in place gives the same text", arguments: 0...70)
    func encodesInPlaceWhatItEncodes(_ count: Int) {
        var random = SeededRandom(seed: 70 + UInt64(count))
        let bytes = random.bytes(count)
        let length = Base64URL.encodedLength(count)
        var buffer = [1, 2, 3] + [UInt8](repeating: 0, count: length - count) + bytes + [4, 5]
        Base64URL.encode(inPlace: &buffer, room: 3..<(3 + length), count: count)
        #expect(buffer == [1, 2, 3] + Array(foundationBase64URL(bytes).utf8) + [4, 5])
    }

    @Test("A range of a wrong length leaves the buffer unchanged")
    func leavesABufferAloneWhoseRoomDoesNotFit() {
        for (room, count) in [(0..<5, 3), (0..<3, 3), (0..<12, 9), (0..<0, 1)] {
            var buffer = [UInt8](repeating: 9, count: 10)
            Base64URL.encode(inPlace: &buffer, room: room, count: count)
            #expect(buffer == [UInt8](repeating: 9, count: 10))
        }
    }

    @Test(
        "Padding, white space and other alphabets are rejected",
        arguments: [
            "Zg==", "Zg=", "Zm8=", "Zm9v=", "=", "====", " Zm9v", "Zm9v ", "Zm 9v", "Zm9v\n",
            "Zm9v\r\n", "Zm\t8",
            "-+--", "+w", "--/-",
            "/w", "Zm9v.", "Zm9vé", "Zm9v\0", "\0\0\0\0",
        ])
    func refusesEveryOtherForm(_ text: String) {
        #expect(errorCode { try decode(text) } == .malformedBase64)
    }

    @Test("An impossible length is rejected") func refusesLengthsThatNoBytesHave() {
        for count in stride(from: 1, through: 69, by: 4) {
            #expect(
                errorCode { try decode(String(repeating: "A", count: count)) } == .malformedBase64)
        }
    }

    @Test(
        "A byte outside of the alphabet is rejected at every position",
        arguments: [2, 3, 4, 8, 10, 11, 12, 14, 15, 16, 18, 19, 20, 22, 23])
    func refusesEveryByteOutsideOfTheAlphabetAtEveryPlace(_ count: Int) {
        let good = [UInt8](repeating: UInt8(ascii: "A"), count: count)
        for place in 0..<count {
            for byte in UInt8.min...UInt8.max {
                var text = good
                text[place] = byte
                let value = Self.alphabet.firstIndex(of: byte)
                // The last of 4n + 2 characters has four bits too many, the last of 4n + 3 two.
                let surplus = place == count - 1 ? [0, 0, 16, 4][count % 4] : 0
                let isGood = value.map { surplus == 0 || $0 % surplus == 0 } ?? false
                let code = errorCode { try Base64URL.decode(text.span) }
                if code != (isGood ? nil : .malformedBase64) {
                    Issue.record("byte \(byte) at \(place) of \(count)")
                }
            }
        }
    }

    @Test("Every byte string has one encoding") func everyTextThatIsAcceptedIsTheOneSpelling()
        throws
    {
        var random = SeededRandom(seed: 6)
        var accepted = 0
        for _ in 0..<20_000 {
            let count = Int(random.next() % 12)
            let text = (0..<count).map { _ in Self.alphabet[Int(random.next() % 64)] }
            guard let bytes = try? Base64URL.decode(text.span) else { continue }
            accepted += 1
            if Array(Base64URL.encode(bytes).utf8) != text { Issue.record("\(text)") }
        }
        #expect(accepted > 1_000)
    }

    @Test("The error does not contain the text") func theErrorQuotesNothing() throws {
        let error = try #require(thrownError { try decode("SECRET+++") })
        #expect(!error.description.contains("SECRET"))
    }
}
