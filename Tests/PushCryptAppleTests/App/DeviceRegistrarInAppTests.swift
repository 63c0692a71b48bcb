import Foundation
import PushCryptApple
import PushCryptTesting
import Testing

/// The registrar with the notes in the app's own folder; here that of whoever runs the tests.
@Suite final class DeviceRegistrarInAppTests {
    private let files = FileManager.default
    private let folder: URL
    /// Folders that were not there before, the innermost first: nothing is left behind.
    private var made: [URL] = []

    init() throws {
        let support = try files.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
        let own = Bundle.main.bundleIdentifier.map { support.appendingPathComponent($0) } ?? support
        folder = own.appendingPathComponent("PushCrypt")
        var parent = folder
        while parent.pathComponents.count > 1, !files.fileExists(atPath: parent.path) {
            made.append(parent)
            parent.deleteLastPathComponent()
        }
    }

    deinit {
        // Somebody's own notes, if there were any, stay; a folder that is used meanwhile, too.
        for url in made {
            for name in ["pushcrypt.device", "pushcrypt.device.lock"] {
                try? files.removeItem(at: url.appendingPathComponent(name))
            }
            if (try? files.contentsOfDirectory(atPath: url.path))?.isEmpty == true { try? files.removeItem(at: url) }
        }
    }

    @Test func theNotesAreInTheAppsOwnFolder() async throws {
        // On a machine whose user runs an app like this the folder is not ours to try.
        guard !made.isEmpty else { return }
        let store = TestKeyringStore()
        let requests = RequestCounter()
        let token = Data(repeating: 0x0a, count: 32)
        func register(_ vendor: UUID?, account: String = "") async throws -> DeviceRegistrar.Preparation {
            try await DeviceRegistrar(store: store, vendor: vendor, account: account)
                .register(deviceToken: token) { _, token in
                    await requests.count(token)
                    return .accepted(date: nil)
                }
        }
        let vendor = UUID()
        let early = await #expect(throws: PushCryptError.self) { try await register(nil) }
        #expect(early?.code == .keyUnreadable && store.stored == nil)
        #expect(try files.contentsOfDirectory(atPath: folder.path).isEmpty, "No name is made before its time.")

        #expect(try await register(vendor) == .created)
        #expect(try await register(vendor) == .unchanged)
        #expect(await requests.tokens == [String(repeating: "0a", count: 32)])
        let file = folder.appendingPathComponent("pushcrypt.device").path
        #expect(try files.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let text = String(decoding: try #require(files.contents(atPath: file)), as: UTF8.self)
        #expect(!text.contains("0a0a0a") && !text.contains(vendor.uuidString))
        #if canImport(Darwin)
        #expect(try folder.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup == true)
        #endif

        #expect(try await register(vendor, account: "a") == .unchanged)
        #expect(await requests.tokens.count == 2)
        #expect(try await register(UUID(), account: "a") == .restored)
        #expect(await requests.tokens.count == 3)
    }

    private actor RequestCounter {
        var tokens: [String] = []
        func count(_ token: String) { tokens.append(token) }
    }
}
