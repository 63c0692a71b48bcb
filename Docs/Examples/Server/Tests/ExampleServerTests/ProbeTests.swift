import Foundation
import Hummingbird
import HummingbirdTesting
import PushCryptAPNs
import Testing

@testable import ExampleServer

struct ProbeTests {
    @Test func probesNeedNeitherCredentialsNorAPNs() async throws {
        let apns = FakeAPNs { _ in
            Issue.record("A probe asks APNs.")
            return .unanswered
        }
        try await TestServer().run(apns) { client in
            #expect(try await client.request(.get, "/live").status == .ok)
            for _ in 0..<6000 where try await client.request(.get, "/ready").status != .ok {
                try await Task.sleep(for: .milliseconds(10))
            }
            let ready = try await client.request(.get, "/ready")
            #expect(ready.status == .ok)
            #expect(ready.body.readableBytes == 0)
        }
    }

    @Test func notReadyWithoutSenderOrDatabase() async throws {
        let server = try TestServer()
        try await server.run { _ in }
        let (store, sending) = (try server.store(), SendingState())
        let routes = Routes(
            access: Access(settings: server.settings), store: store,
            keys: try KeyringSource(KeyringFile(path: server.settings.keyring)) { _ in },
            lists: SignerLists(path: nil), proofs: nil, apns: FakeAPNs(),
            topic: "com.example.app", sending: sending, wake: Wake(), now: { Date() })
        try await Application(router: routes.router()).test(.router) { client in
            let client = Client(client: client)
            #expect(try await client.request(.get, "/ready").status == .serviceUnavailable)
            await sending.setRunning(true)
            #expect(try await client.request(.get, "/ready").status == .ok)
            try store.database.close()
            #expect(try await client.request(.get, "/ready").status == .serviceUnavailable)
            #expect(try await client.request(.get, "/live").status == .ok)
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620])
    func exposedSettingsAreRefused(mode: Int) throws {
        let server = try TestServer()
        let path = server.directory + "/settings.json"
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = #expect(throws: Settings.Exposed.self) { try Settings(path: path) }
        #expect(error.map { "\($0)".contains("Run: chmod 600 ") } == true)
    }

    @Test func filesAreForTheServerAlone() async throws {
        let server = try TestServer()
        try await server.run { _ in
            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: server.settings.database + suffix)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            }
        }
    }
}
