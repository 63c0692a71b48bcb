import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct VerificationKeyTests {
    private func code(_ bytes: [UInt8]) -> PushCryptError.Code? {
        errorCode { try VerificationKey(rawRepresentation: bytes) }
    }

    /// The encodings of small order on the Edwards curve (https://eprint.iacr.org/2020/1244, table
    /// 6.1).
    static let smallOrder = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ]

    @Test("Points of small order are rejected", arguments: smallOrder)
    func refusesPointsOfSmallOrder(_ point: String) {
        #expect(code(hex(point)) == .invalidKey)
    }

    @Test("Points that are not canonical are rejected", arguments: Points.nineteenNotCanonical)
    func refusesWhatIsNotCanonical(_ point: [UInt8]) {
        #expect(code(point) == .invalidKey)
    }

    @Test("Points outside of the main subgroup are rejected")
    func refusesWhatIsNoPointOfTheMainSubgroup() {
        // Half of all numbers are not points, and seven of eight points are outside of the
        // subgroup.
        var random = SeededRandom(seed: 4)
        let accepted = (0..<400).filter { _ in code(random.bytes(32)) == nil }.count
        #expect((5...60).contains(accepted))
        #expect(code([2] + [UInt8](repeating: 0, count: 31)) == .invalidKey)
    }

    @Test("Another length is rejected", arguments: [0, 31, 33, 64])
    func refusesAnyOtherLength(_ count: Int) {
        #expect(code([UInt8](repeating: 9, count: count)) == .invalidKey)
    }

    @Test("Valid keys are accepted") func acceptsKeys() throws {
        for sender in TestKeys.Sender.allCases {
            #expect(code(try TestKeys.sender(sender).publicKey.rawRepresentation) == nil)
        }
    }

    @Test("The thumbprint contains the curve") func hasTheThumbprintOfItsOwnCurve() throws {
        let bytes = hex(Ed25519Tests.vectors[0].key)
        let verification = try VerificationKey(rawRepresentation: bytes)
        // The same bytes are a different key on the other curve.
        #expect(verification.kid != (try RecipientPublicKey(rawRepresentation: bytes).kid))
    }
}
