package import PushCryptCore
package import PushCryptReceiver

/// The secrets of a device in tests.
package enum TestSecrets {
    /// Returns a store with new secrets.
    package static func store() throws -> InMemorySecretsStore {
        let store = InMemorySecretsStore()
        _ = store.create(try DeviceSecrets.random())
        return store
    }
}

extension DeliveryLog {
    /// Creates a log with the secrets of one device for all tests.
    package init(path: String, capacity: Int = 256, time: any TimeSource = SystemTime()) {
        self.init(path: path, capacity: capacity, secrets: Self.secrets, time: time)
    }

    private static let secrets: InMemorySecretsStore =
        (try? TestSecrets.store()) ?? InMemorySecretsStore()
}
