import Foundation
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

/// The code of `Docs/Carriers.md`.
@Suite struct CarriersPageTests {
    @Test("A push is sealed for a carrier") func aPushIsSealedForACarrier() throws {
        let keyring = try TestKeys.sender()
        let device = try TestKeys.device().publicKey
        let json = #"{"aps":{"alert":"Hello"}}"#
        let registrationToken = "dPz-1:APA91bH_Zx"
        let sealer = Sealer(.signed(by: keyring), carrier: .firebase)
        let push = try sealer.seal(json: json, for: device)
        let request = try push.request(to: registrationToken)
        // POST request.body with request.headers, and with your credentials.
        let message = try JSONValue(parsing: request.body)["message"]
        #expect(message?["token"]?.stringValue == registrationToken)
        #expect(message?["apns"]?["payload"]?["ENCRYPTED_DATA"] != nil)
    }

    @Test("The table has the longest text of each carrier", arguments: Carrier.all)
    func theTableHasTheLongestText(_ carrier: Carrier) throws {
        let sealer = Sealer(.signed(by: try TestKeys.sender()), padding: .none, carrier: carrier)
        func fits(_ length: Int) -> Bool {
            let text = String(repeating: "x", count: length)
            return (try? sealer.prepare(json: #"{"aps":{"alert":""# + text + #""}}"#)) != nil
        }
        let cells = try #require(
            try Document("Docs/Carriers.md").text.split(separator: "\n").first { $0.hasPrefix("|`\(carrier)`|") }
        ).split(separator: "|").map(String.init)
        let longest = try #require(Int(cells[3].filter(\.isNumber)))
        #expect(fits(longest) && !fits(longest + 1), "\(carrier): \(longest)")
    }
}
