import Foundation
import PushCryptTesting
import Testing

/// Keys that a device has replaced, and that a restored backup brings back.
@Suite struct FormerKeyTests {
    static let token = String(repeating: "0a", count: 32)
    static let otherToken = String(repeating: "0b", count: 32)
    static let date = Date(timeIntervalSince1970: 1_767_225_600)
    static let period: TimeInterval = 60 * 24 * 3600

    private func registration(_ key: RecipientPublicKey, _ generation: UInt64) throws
        -> Registration
    {
        try Registration(
            parsing:
                #"{"created":1,"generation":\#(generation),"key":\#(key.jwk),"lifetime":604800}"#)
    }

    private func update(
        _ known: Recipient?, _ key: RecipientPublicKey, _ generation: UInt64, at date: Date = date,
        token: String = token, others: [Recipient] = []
    ) throws -> Recipient {
        try Recipient(
            registration: registration(key, generation), deviceToken: token, registered: date,
            replacing: known,
            others: others)
    }

    /// Returns the generation to answer, or `nil` if the registration is accepted.
    private func answer(_ body: () throws -> Recipient) throws -> UInt64? {
        do {
            _ = try body()
            return nil
        } catch let error as PushCryptError {
            #expect(error.code == .staleGeneration)
            let generation = try #require(error.staleGeneration)
            return generation
        }
    }

    private func key(_ device: TestKeys.Device = .alice) throws -> RecipientPublicKey {
        try TestKeys.device(device).publicKey
    }

    @Test("A replaced key is a former key") func aReplacedKeyIsAFormerKey() throws {
        var row = try update(nil, key(), 1)
        row = try update(row, key(), 2)
        #expect(row.formerKeys.isEmpty, "The key is the same.")
        row = try update(row, key(.bob), 3, at: Self.date + 60.0004)
        #expect(row.formerKeys.map(\.kid) == [try key().kid])
        #expect(row.formerKeys.map(\.replaced) == [Self.date + 60])
        #expect(try update(row, key(.bob), 4).formerKeys == row.formerKeys)
    }

    @Test(
        "A clock that is absurd ends no process",
        arguments: [2e16, 1.8e18, 1e300, .infinity, -1e300])
    func absurdClock(seconds: Double) throws {
        let row = try update(nil, key(), 1)
        let date = Date(timeIntervalSince1970: seconds)
        let next = try update(row, key(.bob), 2, at: date)
        #expect(
            try next.formerKeys.count == 1
                && update(next, key(.bob), 3, at: date).formerKeys == next.formerKeys)
    }

    @Test(
        "A former key is rejected with a generation that the device passes",
        arguments: [3, 4, 1 << 32] as [UInt64])
    func aFormerKeyIsRejected(generation: UInt64) throws {
        let row = try update(update(nil, key(), 1), key(.bob), 3)
        #expect(try answer { try update(row, key(), generation) } == generation)
        #expect(try answer { try update(row, key(), 2) } == 3, "The row has a greater generation.")
        #expect(
            try answer { try update(row, key(), 4 + 1 << 32) } == 3, "The growth isn't plausible.")
        #expect(
            try answer { try update(row, key(.bob), generation) } == nil, "The current key stays.")
    }

    @Test("A former key counts for 60 days") func aFormerKeyCountsFor60Days() throws {
        let row = try update(update(nil, key(), 1), key(.bob), 2)
        #expect(try answer { try update(row, key(), 3, at: Self.date + Self.period - 0.001) } == 3)
        let again = try update(row, key(), 3, at: Self.date + Self.period)
        #expect(again.formerKeys.map(\.kid) == [try key(.bob).kid], "The old entry is dropped.")
        #expect(try update(row, key(.bob), 3, at: Self.date + Self.period).formerKeys.isEmpty)
        #expect(
            try answer { try update(row, key(), 3, at: Self.date - 1) } == 3,
            "The clock was set back.")
    }

    @Test("A former key under another token of the account is rejected") func otherRowsCount()
        throws
    {
        let row = try update(update(nil, key(), 1), key(.bob), 2)
        #expect(
            try answer { try update(nil, key(), 7, token: Self.otherToken, others: [row]) } == 7)
        #expect(
            try answer {
                try update(nil, key(), 1 << 52 + 1, token: Self.otherToken, others: [row])
            } == 0)
        #expect(try answer { try update(nil, key(), 7, token: Self.otherToken) } == nil)
        let second = try update(nil, key(.bob), 7, token: Self.otherToken, others: [row])
        #expect(second.formerKeys == row.formerKeys, "The row of the old token will be deleted.")
        #expect(try answer { try update(second, key(), 8, token: Self.otherToken) } == 8)
        // All rows may be given.
        #expect(try answer { try update(row, key(), 8, others: [row, second]) } == 8)
    }

    @Test("A row of another account is an error") func aRowOfAnotherAccountIsAnError() throws {
        let row = try Recipient(
            registration: registration(key(), 1), deviceToken: Self.otherToken, account: "ben")
        #expect(throws: PushCryptError(.malformedRegistration, "")) {
            try update(nil, key(), 1, others: [row])
        }
    }

    @Test("A row keeps the newest 64 former keys") func aRowKeepsTheNewest64() throws {
        var row: Recipient?
        var keys: [RecipientPublicKey] = []
        for number in 0..<70 {
            keys.append(try RecipientPrivateKey().publicKey)
            row = try update(
                row, keys[number], UInt64(number + 1), at: Self.date + TimeInterval(number))
        }
        #expect(row?.formerKeys.map(\.kid) == keys.dropLast().suffix(64).reversed().map(\.kid))
        #expect(try answer { try update(row, keys[5], 80, at: Self.date + 100) } == 80)
        #expect(try answer { try update(row, keys[4], 80, at: Self.date + 100) } == nil)
    }

    @Test("The generation to answer is in errors of the server only")
    func onlyStaleErrorsHaveAGeneration() throws {
        #expect(PushCryptError(.staleGeneration, "").staleGeneration == nil)
        let error = #expect(throws: PushCryptError.self) { try update(nil, key(), 1, token: "xx") }
        #expect(error?.staleGeneration == nil)
    }

    // MARK: One column of a database

    @Test("Former keys are encoded in their documented form") func documentedForm() throws {
        let row = try update(update(nil, key(), 1), key(.bob), 2)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(row), as: UTF8.self)
        let start =
            #"{"account":"","deviceToken":"\#(Self.token)","formerKeys":[{"kid":"\#(try key().kid)","#
            + #""replaced":1767225600000}],"registered":1767225600000,"registration":{"#
        #expect(text.hasPrefix(start))
        #expect(try JSONDecoder().decode(Recipient.self, from: Data(text.utf8)) == row)
    }

    @Test(
        "Malformed former keys are rejected",
        arguments: [
            "1", "{}", "[1]", "[{}]", #"[{"kid":"x","replaced":1}]"#, #"[{"kid":"","replaced":1}]"#,
            #"[{"kid":"KID","replaced":-1}]"#, #"[{"kid":"KID","replaced":1.5}]"#,
            #"[{"kid":"KID"}]"#,
            #"[{"kid":"KID","replaced":9007199254740992}]"#, #"[{"kid":"KID=","replaced":1}]"#,
        ])
    func malformedEntries(value: String) throws {
        let kid = try key().kid
        let text = String(decoding: try JSONEncoder().encode(update(nil, key(), 1)), as: UTF8.self)
        let changed = "{\"formerKeys\":\(value.replacing("KID", with: kid))," + text.dropFirst()
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(Recipient.self, from: Data(changed.utf8))
        }
        let good = "{\"formerKeys\":[{\"kid\":\"\(kid)\",\"replaced\":1}]," + text.dropFirst()
        #expect(
            try JSONDecoder().decode(Recipient.self, from: Data(good.utf8)).formerKeys.count == 1)
    }
}
