import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

/// Two accounts, of which each has a server that asks.
@Suite(.ownThread) struct MultiAccountTests {
    private let scratch: Scratch
    private let inbox: PushInbox
    private let server: SigningKey

    init() throws {
        scratch = try Scratch()
        server = try TestKeys.sender()
        let directory = scratch.path
        let policy = SenderPolicy.signed(by: server.publicKey)
        var configuration = PushConfiguration(accounts: [
            PushAccount("a", keys: TestKeyringStore(), senderPolicy: policy),
            PushAccount("b", keys: TestKeyringStore(), senderPolicy: policy),
        ])
        configuration.setSystemDefaults()
        configuration.directory = directory
        configuration.secrets = InMemorySecretsStore()
        configuration.registration.deviceID = { "device" }
        configuration.registration.directory = { name in
            let path = directory + "/" + name
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return path
        }
        inbox = PushInbox(configuration)
        #expect(inbox.prepare() == nil)
    }

    private func register(_ name: String, _ asked: LockedValue<[String]>, fails: Bool = false)
        async throws
    {
        try await inbox.register(DeviceToken("t"), account: name) { request in
            asked.withLock { $0.append(name + (request.proof == nil ? "" : "-proof")) }
            if fails { throw CocoaError(.fileReadUnknown) }
            return .accepted(date: nil)
        }
    }

    @Test("A request of the server makes each account register") func request() async throws {
        let asked = LockedValue<[String]>([])
        for name in ["a", "b"] { try await register(name, asked) }
        _ = try await inbox.open(["aps": ["content-available": 1]])
        for name in ["a", "b"] { try await register(name, asked) }
        #expect(asked.withLock { $0 } == ["a", "b", "a", "b"])
    }

    @Test("A failed registration is repeated after another account has registered") func failed()
        async throws
    {
        let asked = LockedValue<[String]>([])
        await #expect(throws: CocoaError.self) { try await register("a", asked, fails: true) }
        try await register("b", asked)
        await inbox.registerAgain()
        #expect(asked.withLock { $0 } == ["a", "b", "a"])
    }
}
