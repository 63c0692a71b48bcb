import Foundation
import PushCryptApple
import PushCryptTesting
import Testing

/// The registrar with its state in the app's directory, here the one of the user who runs the
/// tests.
@Suite(.serialized) final class DeviceRegistrarInAppTests {
    private let files = FileManager.default
    private let directory: URL
    /// Another account, and its directory.
    private let otherAccount = UUID().uuidString
    private let other: URL
    /// The directories that the test creates, the innermost first.
    private var made: [URL] = []

    init() throws {
        let support = try files.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil,
            create: false)
        let own = Bundle.main.bundleIdentifier.map { support.appendingPathComponent($0) } ?? support
        directory = own.appendingPathComponent("PushCrypt")
        let hexadecimal = otherAccount.utf8.map { String($0, radix: 16) }.joined()
        other = own.appendingPathComponent("PushCrypt-\(hexadecimal)")
        var parent = directory
        while parent.pathComponents.count > 1, !files.fileExists(atPath: parent.path) {
            made.append(parent)
            parent.deleteLastPathComponent()
        }
    }

    deinit {
        // Directories that contain other files stay.
        for url in [other] + made {
            for name in ["pushcrypt.device", "pushcrypt.device.lock"] {
                try? files.removeItem(at: url.appendingPathComponent(name))
            }
            if (try? files.contentsOfDirectory(atPath: url.path))?.isEmpty == true {
                try? files.removeItem(at: url)
            }
        }
    }

    private func inbox(_ stores: [(name: String, store: TestKeyringStore)], _ vendor: UUID?)
        -> PushInbox
    {
        var configuration = PushConfiguration(
            accounts: stores.map { PushAccount($0.name, keys: $0.store, senderPolicy: .anyone) })
        configuration.setSystemDefaults()
        // The system's identifier, which Linux doesn't have.
        configuration.registration.deviceID = { vendor?.uuidString }
        return PushInbox(configuration)
    }

    @Test("The state is in the app's own directory") func stateIsInTheAppsOwnDirectory()
        async throws
    {
        // The directory may already belong to an app of this user.
        guard !made.isEmpty else { return }
        let store = TestKeyringStore()
        let requests = RequestCounter()
        let token = Data(repeating: 0x0a, count: 32)
        func register(_ vendor: UUID?, account: String = "") async throws -> KeyPreparation {
            try await inbox([("", store)], vendor).register(DeviceToken(token), account: account) {
                request in
                await requests.count(request.deviceToken)
                return .accepted(date: nil)
            }
        }
        let vendor = UUID()
        let early = await #expect(throws: PushCryptError.self) { try await register(nil) }
        #expect(early?.code == .keyUnreadable && store.stored == nil)
        #expect(
            try files.contentsOfDirectory(atPath: directory.path).isEmpty,
            "The state file isn't created too early.")

        #expect(try await register(vendor) == .created)
        #expect(try await register(vendor) == .unchanged)
        #expect(await requests.tokens == [String(repeating: "0a", count: 32)])
        let file = directory.appendingPathComponent("pushcrypt.device").path
        #expect(try files.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let text = String(decoding: try #require(files.contents(atPath: file)), as: UTF8.self)
        #expect(!text.contains("0a0a0a") && !text.contains(vendor.uuidString))
        #if canImport(Darwin)
        #expect(
            try directory.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup
                == true)
        #endif

        #expect(try await register(vendor, account: "a") == .unchanged)
        #expect(await requests.tokens.count == 2)
        #expect(try await register(UUID(), account: "a") == .restored)
        #expect(await requests.tokens.count == 3)
    }

    @Test("Registrars of two accounts don't share their state")
    func registrarsOfTwoAccountsDontShareTheirState()
        async throws
    {
        guard !made.isEmpty else { return }
        let (vendor, token) = (UUID(), Data(repeating: 0x0b, count: 32))
        let stores = [TestKeyringStore(), TestKeyringStore()]
        let names = ["", otherAccount]
        let inbox = inbox([(names[0], stores[0]), (names[1], stores[1])], vendor)
        let requests = RequestCounter()
        func register(_ index: Int) async throws -> KeyPreparation {
            try await inbox.register(DeviceToken(token), account: names[index]) { request in
                await requests.count(request.deviceToken)
                return .accepted(date: nil)
            }
        }
        for index in [0, 1] { #expect(try await register(index) == .created) }
        for index in [0, 1] { #expect(try await register(index) == .unchanged) }
        #expect(await requests.tokens.count == 2)
        #expect(files.fileExists(atPath: other.appendingPathComponent("pushcrypt.device").path))
        try await inbox.removeAccount(names[0])
        #expect(stores[0].stored == nil)
        #expect(try await register(1) == .unchanged)
        #expect(await requests.tokens.count == 2)
    }

    private actor RequestCounter {
        var tokens: [String] = []
        func count(_ token: String) { tokens.append(token) }
    }
}
