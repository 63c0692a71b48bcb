import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Values of the system's dictionaries as JSON.
@Suite struct UserInfoValueTests {
    private func value(_ any: Any) throws -> JSONValue? {
        try JSONValue(userInfo: ["k": any])["k"]
    }

    @Test("Values keep their types") func valuesKeepTheirTypes() throws {
        #expect(try value("a") == "a")
        #expect(try value("") == "")
        #expect(try value("1") == "1")
        #expect(try value(true) == true)
        #expect(try value(false) == false)
        #expect(try value(1) == 1)
        #expect(try value(0) == 0)
        #expect(try value(Int64.min) == .number(JSONNumber(Int64.min)))
        #expect(try value(UInt64(7)) == 7)
        #expect(try value(UInt64.max) == .number(JSONNumber(UInt64.max)))
        #expect(try value(0.5) == 0.5)
        #expect(try value(try #require(Decimal(string: "1.10"))) == 1.1)
        #expect(try value([Any]()) == [])
        #expect(try value([AnyHashable: Any]()) == .object([:]))
        #expect(try value(["a", 1, true, ["b": [0.5]]] as [Any]) == ["a", 1, true, ["b": [0.5]]])
        #expect(try value(["a": ["b": ["c": 1]]]) == ["a": ["b": ["c": 1]]])
    }

    /// Swift's parser of property lists may return such collections.
    @Test("Arrays and dictionaries of one type are read")
    func arraysAndDictionariesOfOneTypeAreRead() throws {
        #expect(try value([1, 2]) == [1, 2])
        #expect(try value([true, false]) == [true, false])
        #expect(try value(["a", "b"]) == ["a", "b"])
        #expect(try value(["a": 1]) == ["a": 1])
        #expect(try value([["a": "b"]]) == [["a": "b"]])
    }

    @Test("Integers aren't Boolean values") func integersArentBooleanValues() throws {
        let json = try JSONText.encoded(
            JSONValue(userInfo: ["one": 1, "yes": true, "zero": 0, "no": false]))
        #expect(
            String(decoding: json, as: UTF8.self) == #"{"no":false,"one":1,"yes":true,"zero":0}"#)
    }

    @Test(
        "A number that JSON doesn't have is null", arguments: [Double.nan, .infinity, -.infinity])
    func numberThatJSONDoesntHaveIsNull(number: Double) throws {
        #expect(try value(number) == .null)
        let reader = try PayloadReader(
            userInfo: ["k": number, "n": 1],
            opener: Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone),
            unsealed: .allow)
        #expect(try reader.customIfPresent("k", as: Double.self) == nil)
        #expect(try reader.custom("n", as: Int.self) == 1)
    }

    @Test("A decimal that isn't a number is null") func decimalThatIsntANumberIsNull() throws {
        #expect(try value(Decimal.nan) == .null)
        #expect(try value(NSDecimalNumber.notANumber) == .null)
    }

    @Test("Values that payloads don't have are rejected without a quote")
    func valuesThatPayloadsDontHaveAreRejectedWithoutAQuote() {
        struct Secret { let text = "secret" }
        for any: Any in [
            Date(), Data("secret".utf8), Secret(), URL(fileURLWithPath: "/secret"),
            Optional<Int>.none as Any,
            [Secret()], ["secret": Date()], [["secret": [Data()]]],
        ] {
            let error = thrownError { try value(any) }
            #expect(error?.code == .typeMismatch)
            #expect(error?.reason.contains("secret") == false)
        }
    }

    @Test("Names must be strings") func namesMustBeStrings() {
        for dictionary: [AnyHashable: Any] in [
            [1: "a"], [Data("secret".utf8): 1], ["k": [1: "a"]], ["k": [["a": 1], [true: 1]]],
        ] {
            let error = thrownError { try JSONValue(userInfo: dictionary) }
            #expect(error?.code == .typeMismatch)
            #expect(error?.reason == "A key of the dictionary isn't a string. Pass a push.")
        }
    }

    @Test("A dictionary that is too deep is rejected") func dictionaryThatIsTooDeepIsRejected() {
        func depth(_ levels: Int) -> [AnyHashable: Any] {
            var value: Any = 1
            for _ in 1..<levels { value = [value] }
            return ["k": value]
        }
        let opener = Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone)
        #expect(throws: Never.self) {
            _ = try PayloadReader(userInfo: depth(64), opener: opener, unsealed: .allow)
        }
        #expect(
            thrownError { try PayloadReader(userInfo: depth(65), opener: opener, unsealed: .allow) }
                != nil)
    }
}
