import PushCryptCore
import TestSupport
import Testing

@Suite struct HashAndRandomTests {
    @Test(
        "The vectors of FIPS 180 are reproduced",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func hashesAsFIPS180Says(_ text: String, _ digest: String) throws {
        #expect(try SHA256.hash(Array(text.utf8)).array == hex(digest))
    }

    @Test("Only the range is filled with random bytes") func fillsTheRangeAndNothingElse() throws {
        var buffer = [UInt8](repeating: 0, count: 60)
        try RandomBytes.fill(&buffer, 10..<50)
        #expect(buffer[..<10].allSatisfy { $0 == 0 } && buffer[50...].allSatisfy { $0 == 0 })
        #expect(Set(buffer[10..<50]).count > 10)
    }

    @Test("Random bytes differ every time") func neverGivesTheSameTwice() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<100 {
            var buffer = [UInt8](repeating: 0, count: 16)
            try RandomBytes.fill(&buffer, 0..<16)
            #expect(seen.insert(buffer).inserted)
        }
    }

    @Test("An empty range is not filled") func fillsNothing() throws {
        var buffer: [UInt8] = [5]
        try RandomBytes.fill(&buffer, 0..<0)
        #expect(buffer == [5])
    }
}
