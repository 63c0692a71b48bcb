import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// A background push that asks the app to register.
@Suite struct RegistrationRequestTests {
    private let store = TestKeyringStore()
    private let time = TestClock()
    private let folder: RegistrationStateDirectory
    private let server: RegistrationServer
    private let token = [UInt8](repeating: 0x0a, count: 32)
    private let request: [AnyHashable: Any] = ["aps": ["content-available": 1]]

    init() throws {
        folder = try RegistrationStateDirectory()
        server = RegistrationServer(time: time)
    }

    private var registrar: DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, senderPolicy: .anyone,
            time: time)
    }

    private func ask(_ userInfo: [AnyHashable: Any]? = nil) async throws -> Bool {
        try await registrar.register(ifAskedBy: userInfo ?? request, DeviceToken(token)) {
            [server] in
            try await server.register($0)
        }
    }

    @Test("The app registers at most once an hour") func oncePerHour() async throws {
        #expect(try await ask() && server.requests.count == 1)
        #expect(try await !ask() && server.requests.count == 1)
        time.advance(by: 3599)
        #expect(try await !ask())
        time.advance(by: 1)
        #expect(try await ask() && server.requests.count == 2)
        time.advance(by: -86_400)
        #expect(
            try await ask() && server.requests.count == 3,
            "A clock that was set back locks nothing out.")
    }

    @Test("A server that fails isn't asked again at once") func failingServer() async throws {
        server.network(.losingRequest)
        await #expect(throws: RegistrationServer.Lost.self) { try await ask() }
        #expect(try await !ask())
    }

    @Test("A usual start isn't limited, and doesn't count") func usualStart() async throws {
        try await registrar.register(DeviceToken(token)) { [server] in try await server.register($0)
        }
        #expect(try await ask() && server.requests.count == 2)
    }

    @Test("Every other push asks for nothing")
    func otherPushes() async throws {
        let pushes: [[AnyHashable: Any]] = [
            [:], ["aps": [String: Any]()], ["aps": ["content-available": 0]],
            ["aps": ["content-available": "1"]],
            ["aps": ["content-available": 1, "badge": 2]],
            ["aps": ["content-available": 1], "id": 5],
            ["aps": ["content-available": 1], "ENCRYPTED_DATA": "AQ"], ["aps": ["alert": "Hello"]],
            ["aps": 1],
        ]
        for push in pushes { #expect(try await !ask(push)) }
        #expect(server.requests.isEmpty)
    }

    @Test("Before the first unlock, a push doesn't use up the hour") func lockedDevice()
        async throws
    {
        let locked = DeviceRegistrar(
            store: store, deviceID: nil, directory: folder.path, senderPolicy: .anyone, time: time)
        await #expect(throws: PushCryptError.self) {
            try await locked.register(ifAskedBy: request, DeviceToken(token)) { [server] in
                try await server.register($0)
            }
        }
        #expect(try await ask() && server.requests.count == 1)
    }
}
