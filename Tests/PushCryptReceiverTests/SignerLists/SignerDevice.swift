import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting

@testable import PushCryptReceiver

/// The keys of one account on a device in a schedule of signing keys.
struct SignerDevice {
    private let store = TestKeyringStore()
    private let time: TestClock
    private var backup: DeviceKeyring?
    /// The roots of the installed release of the app.
    var roots: SignerRoots
    /// A Boolean value that indicates whether the keyring was restored and not confirmed since.
    private(set) var isRestored = false
    private(set) var restores = 0
    private(set) var confirmed: Registration?

    init(roots: SignerRoots, time: TestClock) {
        self.roots = roots
        self.time = time
    }

    private var keys: DeviceKeys {
        DeviceKeys(
            store: store,
            installation: Installation(deviceID: "device", installationID: "installation"),
            rotationAge: 366 * 86_400, roots: roots, time: time)
    }

    /// The app starts; returns the registration to send, unless the server has confirmed it within
    /// a week.
    mutating func start(isForced: Bool) throws -> Registration? {
        let registration = try keys.prepare().registration
        return isForced || registration != confirmed ? registration : nil
    }

    /// The answer that accepts a registration; returns the registration to send at once.
    mutating func accept(_ registration: Registration, _ lists: [String], at date: Date) throws
        -> Registration?
    {
        // A key that a restored keyring doesn't have.
        guard (try? keys.confirm(registration, serverTime: date)) != nil else { return nil }
        confirmed = registration
        isRestored = false
        _ = try keys.addSignerLists(lists, at: date)
        return try start(isForced: false)
    }

    /// The answer that the registration is stale; returns the next registration.
    mutating func follow(_ generation: UInt64, _ registration: Registration) throws -> Registration
    {
        try keys.followGeneration(generation, rejecting: registration)
        return try keys.registration()
    }

    mutating func backUp() { backup = store.stored }

    mutating func restore() throws {
        guard let backup else { return }
        try store.deleteKeyring()
        try store.update { $0 = backup }
        isRestored = true
        restores += 1
        confirmed = nil
    }

    /// The keys from which the extension accepts signatures now.
    func acceptedKeys(_ cache: inout SignerCache) throws -> [VerificationKey] {
        try cache.acceptedKeys(roots, with: store.signerLists())
    }

    /// The stored list that decides; `nil` if no root has one.
    func decidingList(_ cache: inout SignerCache) throws -> SignerList? {
        let lists = try store.signerLists().compactMap { try cache.list($0, of: roots) }
        return roots.keys.lazy.compactMap { root in lists.first { $0.rootKid == root.kid } }.first
    }
}

/// The results of verified lists, because a schedule asks for them after each step.
struct SignerCache {
    private var keys: [[String]: [VerificationKey]] = [:]
    private var lists: [String: SignerList] = [:]

    mutating func acceptedKeys(_ roots: SignerRoots, with texts: [String]) throws
        -> [VerificationKey]
    {
        let name = roots.keys.map(\.kid) + texts
        if let known = keys[name] { return known }
        let accepted = try roots.acceptedKeys(with: texts)
        keys[name] = accepted
        return accepted
    }

    /// Returns a list if its root is pinned.
    mutating func list(_ text: String, of roots: SignerRoots) throws -> SignerList? {
        if let known = lists[text] {
            return roots.keys.contains { $0.kid == known.rootKid } ? known : nil
        }
        guard let list = try? SignerList(verifying: text, roots: roots.keys) else { return nil }
        lists[text] = list
        return list
    }
}
