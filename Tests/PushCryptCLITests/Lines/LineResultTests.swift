import PushCryptSender
import Testing

@testable import PushCryptCLI

struct LineResultTests {
    private static func written(_ result: LineResult) -> String {
        var bytes: [UInt8] = []
        result.write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func members(_ text: String) throws -> LineMembers {
        try LineMembers(scanning: .bytes(Array(text.utf8)), number: 3)
    }

    @Test("An object has commas between its members alone") func commas() throws {
        var object = JSONObjectText()
        #expect(Self.written(.answer(object)) == "{}\n")
        object.append(JSONObjectText())
        object.append("a\"", json: Array("[1]".utf8))
        #expect(Self.written(.answer(object)) == #"{"a"":[1]}"# + "\n")
        object = JSONObjectText()
        object.append(member: Array(#""x" : 1.10"#.utf8)[...])
        object.append("text", "\"\n/")
        object.append("number", 7)
        object.append("empty", JSONObjectText())
        object.append("inner", object)
        #expect(
            Self.written(.answer(object)) == #"{"x" : 1.10,"text":"\"\n/","number":7,"empty":{},"#
                + #""inner":{"x" : 1.10,"text":"\"\n/","number":7,"empty":{}}}"# + "\n")
    }

    @Test("A refusal has the number of its line and its error") func refusal() throws {
        let error = PushCryptError(.lineTooLong, "Too \"long\".")
        let plain = LineRefusal(error: error, number: 3, kept: JSONObjectText())
        #expect(
            Self.written(.refusal(plain))
                == #"{"line":3,"error":{"code":"line-too-long","reason":"Too \"long\"."}}"# + "\n")
        let kept = try Self.members(#"{"id":1,"to":2}"#).kept(without: ["to"])
        let whole = LineRefusal(error: error, number: 3, kept: kept)
        #expect(
            Self.written(.refusal(whole))
                == #"{"id":1,"line":3,"error":{"code":"line-too-long","reason":"Too \"long\"."}}"#
                + "\n")
        #expect(LineResult.refusal(plain).isRefused && !LineResult.answer(kept).isRefused)
    }

    @Test("Kept members keep their bytes and their order") func keptMembers() throws {
        let line = try Self.members(#" { "a" : [ 1 ] , "t\u006f":"x", "payload" :{} ,"z":1.0}"#)
        let all = line.kept(without: [])
        #expect(
            Self.written(.answer(all)) == #"{"a" : [ 1 ],"t\u006f":"x","payload" :{},"z":1.0}"#
                + "\n")
        let replaced = line.kept(without: ["to", "a"], replacingPayload: Array(#"{"b":1}"#.utf8))
        #expect(Self.written(.answer(replaced)) == #"{"payload":{"b":1},"z":1.0}"# + "\n")
    }

    @Test("A refused line is repeated, unless it may have a private key") func earlierRefusal()
        throws
    {
        let refused = #"{"line":3,"error":{"code": "x"}}"#
        let object = try #require(Self.members(refused).earlierRefusal)
        #expect(Self.written(.repeated(object)) == refused + "\n")
        #expect(LineResult.repeated(object).isRefused)
        for other in [
            #"{"error":1,"payload":{}}"#, #"{"id":1}"#, #"{"error":1,"kty":"OKP","d":"x"}"#,
        ] {
            #expect(try Self.members(other).earlierRefusal == nil, "\(other)")
        }
        for other in [
            #"{"id":1,"error":{"kty":"OKP","d":"x"}}"#,
            #"{"error":"{\"kty\":\"OKP\",\"d\":\"x\"}","id":1}"#,
        ] {
            let refusal = try #require(Self.members(other).earlierRefusal)
            #expect(Self.written(.repeated(refusal)) == #"{"id":1}"# + "\n")
        }
    }

    @Test("The answer to an invalid line keeps a JWK and a member d, and no private key")
    func membersOfARefusal() throws {
        func kept(_ line: String) throws -> String {
            Self.written(.answer(try Self.members(line).keptWithoutPrivateKeys(without: ["to"])))
        }
        let jwk = #"{"kty":"OKP","crv":"X25519","x":"a"}"#
        #expect(try kept(#"{"id":1,"to":\#(jwk),"d":"own"}"#) == #"{"id":1,"d":"own"}"# + "\n")
        #expect(
            try kept(#"{"id":1,"key":\#(jwk),"d":"own"}"#) == #"{"id":1,"key":\#(jwk),"d":"own"}"#
                + "\n")
        let privateKey = jwk.replacing(#""x":"#, with: #""d":"#)
        #expect(
            try kept(#"{"id":1,"key":\#(privateKey),"z":[\#(privateKey)],"d":1}"#)
                == #"{"id":1,"d":1}"# + "\n")
        #expect(try kept(#"{"id":1,"keys":[\#(privateKey)]}"#) == #"{"id":1}"# + "\n")
        #expect(try kept(privateKey) == "{}\n")
    }
}
