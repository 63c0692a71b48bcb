import Foundation
import PushCryptApple
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

/// The code of `Docs/Sending.md` for other services than APNs.
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

    @Test("An app reads the carrier from its Info.plist")
    func anAppReadsTheCarrierFromItsInfoPlist() {
        let opener = Opener(keys: KeychainStore(), senderPolicy: .infoPlist, carrier: .infoPlist)
        // The tests have no Info.plist, so the carrier is APNs.
        #expect(
            thrownError { try opener.open(userInfo: [:]) }?.reason.hasPrefix(
                "ENCRYPTED_DATA is missing") == true)
    }

    /// An app's own server.
    private struct Server {
        func register(_ request: RegistrationRequest) async throws -> RegistrationResponse {
            .accepted(date: nil)
        }
    }

    @Test("A carrier's token is registered") func aCarriersTokenIsRegistered() async {
        func register(_ registrationToken: String, _ server: Server, _ inbox: PushInbox)
            async throws
        {
            try await inbox.register(DeviceToken(registrationToken)) { request in
                // POST request.json to your server, as the signed-in user.
                try await server.register(request)
            }
        }
        // Nothing is created without the device's identifier.
        var configuration = PushConfiguration(keys: TestKeyringStore(), senderPolicy: .anyone)
        configuration.registration.directory = { _ in "/nonexistent" }
        let inbox = PushInbox(configuration)
        await #expect(throws: PushCryptError(.keyUnreadable, "")) {
            try await register("ExponentPushToken[x]", Server(), inbox)
        }
    }

    @Test("The table has the locations of each carrier", arguments: CarrierStandIn.carriers)
    func theTableHasTheLocations(_ carrier: Carrier) throws {
        let opener = Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone, carrier: carrier)
        let reason = try #require(thrownError { try opener.open(userInfo: [:]) }?.reason)
        let place = try #require(reason.split(separator: " ").first)
        let rows = try Document("Docs/Sending.md").text.split(separator: "\n").filter {
            $0.hasPrefix("|`")
        }
        #expect(rows.contains { $0.contains("`\(carrier)`") && $0.contains("|`\(place)`|") })
        for name in CarrierStandIn(carrier).additions.keys
        where !name.hasPrefix("google") && name != "custom" {
            #expect(rows.contains { $0.contains("`\(carrier)`") && $0.contains("`\(name)`") })
        }
    }

    @Test("The table has the longest text of each carrier", arguments: Carrier.all)
    func theTableHasTheLongestText(_ carrier: Carrier) throws {
        let sealer = Sealer(.signed(by: try TestKeys.sender()), padding: .none, carrier: carrier)
        func fits(_ length: Int) -> Bool {
            let text = String(repeating: "x", count: length)
            return (try? sealer.prepare(json: #"{"aps":{"alert":""# + text + #""}}"#)) != nil
        }
        let cells = try #require(
            try Document("Docs/Sending.md").text.split(separator: "\n").first {
                $0.hasPrefix("|`\(carrier)`|")
            }
        ).split(separator: "|").map(String.init)
        let longest = try #require(Int(cells[3].filter(\.isNumber)))
        #expect(fits(longest) && !fits(longest + 1), "\(carrier): \(longest)")
    }
}
