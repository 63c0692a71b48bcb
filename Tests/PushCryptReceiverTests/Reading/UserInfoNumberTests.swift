import Foundation
import PushCryptReceiver
import PushCryptTesting
import Testing

/// Foundation's numbers, also on Linux, whose casts convert 1 to `true`.
@Suite struct UserInfoNumberTests {
    private static let json =
        #"{"one":1,"zero":0,"yes":true,"no":false,"half":0.5,"list":[1,true],"high":18446744073709551615}"#

    private func read(_ userInfo: [AnyHashable: Any]) throws -> JSONValue {
        let reader = try PayloadReader(
            userInfo: userInfo, opener: Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone),
            unsealed: .allow)
        return try JSONValue(parsing: reader.json)
    }

    @Test("The output of JSONSerialization is read unchanged")
    func outputOfJSONSerializationIsReadUnchanged() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.json.utf8))
        let userInfo = try #require(object as? [String: Any])
        #expect(try read(userInfo) == JSONValue(parsing: Array(Self.json.utf8)))
    }

    @Test("Foundation's numbers are numbers") func foundationsNumbersAreNumbers() throws {
        #expect(try read(["k": NSNumber(value: 1)]) == ["k": 1])
        #expect(try read(["k": NSNumber(value: 0)]) == ["k": 0])
        #expect(try read(["k": NSNumber(value: true)]) == ["k": true])
        #expect(try read(["k": NSNumber(value: false)]) == ["k": false])
        #expect(try read(["k": NSNumber(value: 0.5)]) == ["k": 0.5])
    }

    /// The system gets numbers with more digits than a `Double` as `NSDecimalNumber`.
    @Test(
        "All digits are kept",
        arguments: ["0.10000000000000000000000001", "123456789012345678901234567890"])
    func allDigitsAreKept(digits: String) throws {
        #expect(
            try read(["k": NSDecimalNumber(string: digits)])
                == JSONValue(parsing: Array(#"{"k":\#(digits)}"#.utf8)))
    }

    @Test("NSNull is null") func nSNullIsNull() throws {
        let reader = try PayloadReader(
            userInfo: ["k": NSNull(), "n": 1],
            opener: Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone),
            unsealed: .allow)
        #expect(try reader.customIfPresent("k", as: String.self) == nil)
    }
}
