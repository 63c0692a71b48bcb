import Foundation
import PushCryptReceiver
import PushCryptTesting
import Testing

/// Numbers as Foundation's own readers make them are numbers, on Linux too, where a cast takes 1 for `true`.
@Suite struct UserInfoNumberTests {
    private static let json =
        #"{"one":1,"zero":0,"yes":true,"no":false,"half":0.5,"list":[1,true],"high":18446744073709551615}"#

    private func read(_ userInfo: [AnyHashable: Any]) throws -> JSONValue {
        let reader = try PayloadReader(
            userInfo: userInfo, opener: Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone), unsealed: .allow)
        return try JSONValue(parsing: reader.json)
    }

    @Test func whatJSONSerializationMakesIsReadAsItWas() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.json.utf8))
        let userInfo = try #require(object as? [String: Any])
        #expect(try read(userInfo) == JSONValue(parsing: Array(Self.json.utf8)))
    }

    @Test func numbersOfFoundationAreNumbers() throws {
        #expect(try read(["k": NSNumber(value: 1)]) == ["k": 1])
        #expect(try read(["k": NSNumber(value: 0)]) == ["k": 0])
        #expect(try read(["k": NSNumber(value: true)]) == ["k": true])
        #expect(try read(["k": NSNumber(value: false)]) == ["k": false])
        #expect(try read(["k": NSNumber(value: 0.5)]) == ["k": 0.5])
    }

    /// The Apple layer hands the system its numbers with more digits than a `Double` has as `NSDecimalNumber`.
    @Test(arguments: ["0.10000000000000000000000001", "123456789012345678901234567890"])
    func allDigitsAreKept(digits: String) throws {
        #expect(
            try read(["k": NSDecimalNumber(string: digits)]) == JSONValue(parsing: Array(#"{"k":\#(digits)}"#.utf8)))
    }

    @Test func nullIsTakenForWhatItIs() throws {
        let reader = try PayloadReader(
            userInfo: ["k": NSNull(), "n": 1], opener: Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone),
            unsealed: .allow)
        #expect(try reader.customIfPresent("k", as: String.self) == nil)
    }
}
