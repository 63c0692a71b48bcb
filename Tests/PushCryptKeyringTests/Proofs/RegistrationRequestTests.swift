import PushCryptCore
import PushCryptKeyring
import TestSupport
import Testing

/// The body of a device's request.
@Suite struct RegistrationRequestTests {
    private static let proof = String(repeating: "A", count: 43)

    @Test("A request is read as it was written") func roundTrip() throws {
        let carrier = Carrier(rawValue: "expo")
        let requests = [
            RegistrationRequest(registration: #"{"a":"\n\"ü"}"#, deviceToken: "0a1B"),
            RegistrationRequest(
                registration: "{}", deviceToken: "ExponentPushToken[x]", carrier: carrier,
                proof: RegistrationProof(expiry: 5, bytes: [UInt8](repeating: 7, count: 32)),
                wantsVisibleChallenge: true),
        ]
        for request in requests {
            #expect(try RegistrationRequest(parsing: request.json) == request)
        }
        #expect(requests[0].json == #"{"token":"0a1B","registration":"{\"a\":\"\\n\\\"ü\"}"}"#)
        #expect(
            requests[1].json
                == #"{"token":"ExponentPushToken[x]","carrier":"expo","registration":"{}","expires":5,"#
                + #""proof":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc","visible":true}"#)
        #expect("\(requests)" == "[RegistrationRequest, RegistrationRequest with a proof]")
    }

    @Test("Other members are ignored") func otherMembers() throws {
        let request = try RegistrationRequest(
            parsing: #"{"id":1,"token":"0a","registration":"{}","visible":1,"user":{"proof":1}}"#)
        #expect(request == RegistrationRequest(registration: "{}", deviceToken: "0a"))
    }

    @Test(
        "A malformed request is refused",
        arguments: [
            "", "[]", "{}", #"{"token":"0a"}"#, #"{"registration":"{}"}"#,
            #"{"token":1,"registration":"{}"}"#,
            #"{"token":"0a","registration":{}}"#,
            #"{"token":"0a","token":"0a","registration":"{}"}"#,
            #"{"token":"0a","registration":"{}","carrier":null}"#,
            #"{"token":"0a","registration":"{}","carrier":1}"#,
            #"{"token":"0a","registration":"{}","expires":1}"#,
            #"{"token":"0a","registration":"{}","proof":"\#(proof)"}"#,
            #"{"token":"0a","registration":"{}","expires":-1,"proof":"\#(proof)"}"#,
            #"{"token":"0a","registration":"{}","expires":1.0,"proof":"\#(proof)"}"#,
            #"{"token":"0a","registration":"{}","expires":9007199254740992,"proof":"\#(proof)"}"#,
            #"{"token":"0a","registration":"{}","expires":"1","proof":"\#(proof)"}"#,
            #"{"token":"0a","registration":"{}","expires":1,"proof":"\#(proof)="}"#,
            #"{"token":"0a","registration":"{}","expires":1,"proof":"\#(proof.dropLast())"}"#,
            #"{"token":"0a","registration":"{}","expires":1,"proof":"\#(proof.dropLast())B"}"#,
            #"{"token":"0a","registration":"{}","expires":1,"proof":null}"#,
        ])
    func malformed(text: String) {
        #expect(errorCode { try RegistrationRequest(parsing: text) } == .malformedRegistration)
    }
}
