import PushCryptSender
import Testing

@testable import PushCryptCLI

struct LineAnswerTests {
    private static func text(_ object: JSONObjectText) -> String {
        text(LineAnswer(.accepted, object))
    }

    private static func text(_ answer: LineAnswer) -> String {
        String(decoding: answer.bytes, as: UTF8.self)
    }

    private static func members(_ text: String) throws -> LineMembers {
        try LineMembers(scanning: .bytes(Array(text.utf8)), number: 3)
    }

    @Test("An object has commas between its members alone") func commas() throws {
        var object = JSONObjectText()
        #expect(Self.text(object) == "{}")
        object.append(JSONObjectText())
        object.append("a\"", json: Array("[1]".utf8))
        #expect(Self.text(object) == #"{"a"":[1]}"#)
        object = JSONObjectText()
        object.append(member: Array(#""x" : 1.10"#.utf8)[...])
        object.append("text", "\"\n/")
        object.append("number", 7)
        object.append("empty", JSONObjectText())
        object.append("inner", object)
        #expect(
            Self.text(object) == #"{"x" : 1.10,"text":"\"\n/","number":7,"empty":{},"#
                + #""inner":{"x" : 1.10,"text":"\"\n/","number":7,"empty":{}}}"#)
    }

    @Test("A refusal has the number of its line and its error") func refusal() throws {
        let error = PushCryptError(.lineTooLong, "Too \"long\".")
        let plain = LineAnswer(refusing: error, number: 3, keeping: JSONObjectText())
        #expect(
            Self.text(plain)
                == #"{"line":3,"error":{"code":"line-too-long","reason":"Too \"long\"."}}"#)
        let kept = try Self.members(#"{"id":1,"to":2}"#).kept(without: ["to"])
        let whole = LineAnswer(refusing: error, number: 3, keeping: kept)
        #expect(
            Self.text(whole)
                == #"{"id":1,"line":3,"error":{"code":"line-too-long","reason":"Too \"long\"."}}"#)
        #expect(plain.kind == .refused)
    }

    @Test("Kept members keep their bytes and their order") func keptMembers() throws {
        let line = try Self.members(#" { "a" : [ 1 ] , "t\u006f":"x", "payload" :{} ,"z":1.0}"#)
        let all = line.kept(without: [])
        #expect(Self.text(all) == #"{"a" : [ 1 ],"t\u006f":"x","payload" :{},"z":1.0}"#)
        let replaced = line.kept(without: ["to", "a"], replacingPayload: Array(#"{"b":1}"#.utf8))
        #expect(Self.text(replaced) == #"{"payload":{"b":1},"z":1.0}"#)
    }

    @Test("A refused line is repeated, unless it may have a private key")
    func earlierRefusal() throws {
        let refused = #"{"line":3,"error":{"code": "x"}}"#
        let object = try #require(Self.members(refused).earlierRefusal)
        #expect(Self.text(object) == refused)
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
            #expect(Self.text(refusal) == #"{"id":1}"#)
        }
    }

    @Test("The answer to an invalid line keeps a JWK and a member d, and no private key")
    func membersOfARefusal() throws {
        func kept(_ line: String) throws -> String {
            Self.text(try Self.members(line).keptWithoutPrivateKeys(without: ["to"]))
        }
        let jwk = #"{"kty":"OKP","crv":"X25519","x":"a"}"#
        #expect(try kept(#"{"id":1,"to":\#(jwk),"d":"own"}"#) == #"{"id":1,"d":"own"}"#)
        let other = #"{"id":1,"key":\#(jwk),"d":"own"}"#
        #expect(try kept(other) == other)
        let privateKey = jwk.replacing(#""x":"#, with: #""d":"#)
        let line = #"{"id":1,"key":\#(privateKey),"z":[\#(privateKey)],"d":1}"#
        #expect(try kept(line) == #"{"id":1,"d":1}"#)
        #expect(try kept(#"{"id":1,"keys":[\#(privateKey)]}"#) == #"{"id":1}"#)
        #expect(try kept(privateKey) == "{}")
    }
}
