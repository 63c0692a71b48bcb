#if APNs
import Foundation
import PushCryptAPNs
import PushCryptTesting
import PushCryptAPNsTesting
import Testing

/// The code of Docs/Sending.md.
@Suite("The page about sending") struct SendingPageTests {
    private final class Server {
        let apns: APNsClient
        var deleted: [String] = []
        var queued: [TimeInterval] = []

        init(_ apns: APNsClient) { self.apns = apns }

        func send(_ push: SealedPush, to device: Recipient) async {
            do {
                _ = try await apns.send(push, to: device.deviceToken)
            } catch {
                if error.advice == .deleteToken,
                    device.registered < error.timestamp ?? .distantFuture
                {
                    delete(device)
                } else if error.advice == .retry {
                    queue(push, for: device, id: error.id, after: error.retryAfter ?? 60)
                } else {
                    print(error)
                }
            }
        }

        func report(_ push: SealedPush, to device: Recipient) async {
            do {
                let receipt = try await apns.send(push, to: device.deviceToken)
                if receipt.mayArriveTwice { print("sent twice, perhaps:", receipt.id) }
            } catch {
                if error.mayBeAccepted { print("accepted, perhaps:", error.id) }
            }
        }

        private func delete(_ device: Recipient) { deleted.append(device.deviceToken) }

        private func queue(
            _ push: SealedPush, for device: Recipient, id: UUID, after seconds: TimeInterval
        ) {
            queued.append(seconds)
        }
    }

    private static func push() throws -> SealedPush {
        try Sealer(.anonymous).seal(
            json: Array(#"{"aps":{"alert":"-"}}"#.utf8), for: TestKeys.device().publicKey,
            headers: APNsHeaders(topic: "com.example.app"))
    }

    private static func device(number: Int, registered: Date) throws -> Recipient {
        let key = try TestKeys.device().publicKey.jwk
        let registration = try Registration(
            parsing: #"{"created":1767225600,"generation":1,"key":\#(key),"lifetime":604800}"#)
        return try Recipient(
            registration: registration, deviceToken: Fixture.device(number: number),
            registered: registered)
    }

    @Test("A device token is deleted if it wasn't registered again after the timestamp")
    func errors() async throws {
        let script: Script = {
            $0.deviceToken.hasSuffix("3")
                ? .answer(503, "Shutdown", headers: ["retry-after": "90"])
                : .answer(410, "Unregistered", timestamp: 1_700_000_000_000)
        }
        try await Fixture.run(sealedOnly: true, script: script) { fixture in
            let server = Server(fixture.client)
            let first = Date(timeIntervalSince1970: 1_699_999_999)
            let before = try Self.device(number: 1, registered: first)
            let after = try Self.device(number: 2, registered: first + 2)
            let busy = try Self.device(number: 3, registered: Date())
            for device in [before, after, busy] { await server.send(try Self.push(), to: device) }
            #expect(server.deleted == [before.deviceToken])
            #expect(server.queued == [90])
            await server.report(try Self.push(), to: before)
        }
    }

    @Test("The client of the page connects to Apple's server, and has the settings of the page")
    func client() async throws {
        let p8 = ProviderKey.first.p8
        func run(_ push: SealedPush, _ deviceToken: String) async throws {
            let apns = try APNsClient(.token(p8: p8, keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
            let receipt = try await apns.send(push, to: deviceToken)
            print(receipt.id)
        }
        // The push is refused before the client connects.
        await #expect(throws: APNsError.self) { try await run(Self.push(), "not hexadecimal") }
    }
}
#endif
