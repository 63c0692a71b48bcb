import PushCryptSender
import Testing

/// A client's own type as text.
@Suite struct OwnTextTests {
    private struct Rope: UTF8Text {
        let parts: [String]
        var bytesForPushCrypt: [UInt8] { parts.flatMap(\.utf8) }
    }

    @Test("A type of the client is read as its own text") func ownTypeIsRead() throws {
        let payload = try Payload(parsing: Rope(parts: [#"{"aps":{"al"#, #"ert":"Hello"}}"#]))
        #expect(try payload.json() == Payload(parsing: #"{"aps":{"alert":"Hello"}}"#).json())
    }
}
