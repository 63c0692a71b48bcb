import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A random schedule of an app, its keys, its state file and its server, the same for each seed.
///
/// The server never seals to a key that the device doesn't have, with the documented exceptions:
/// after an old backup, after a deletion of the keys, and after a backup of the server, until the
/// app has registered. It never returns to a former key.
struct RegistrarSimulation {
    struct Broken: Error, CustomStringConvertible { let description: String }

    /// The counts of events.
    struct Summary {
        var starts = 0, failures = 0, rotations = 0, deliveries = 0, opened = 0, restorations = 0,
            backups = 0
        var stale = 0

        static func + (left: Self, right: Self) -> Self {
            Summary(
                starts: left.starts + right.starts, failures: left.failures + right.failures,
                rotations: left.rotations + right.rotations,
                deliveries: left.deliveries + right.deliveries,
                opened: left.opened + right.opened,
                restorations: left.restorations + right.restorations,
                backups: left.backups + right.backups, stale: left.stale + right.stale)
        }
    }

    static let day: TimeInterval = 86_400

    private let seed: UInt64
    private let sender: SigningKey?
    private var random: SeededRandom
    private let time = TestClock()
    private let server: RegistrationServer
    private let folder: RegistrationStateDirectory
    private var store = TestKeyringStore()
    private var device = 0
    private var token = [UInt8](repeating: 1, count: 32)
    private var backup: DeviceKeyring?
    private var serverBackup: [String: Recipient] = [:]
    private var underWay: [(key: KeyID, end: Date)] = []
    /// The time at which the server was set back; until the next registration it may seal to a
    /// deleted key.
    private var serverSetBack: Date?
    /// A Boolean value that indicates whether the device has lost keys and not registered since.
    private var hasLostKeys = false
    /// The key that the server knows, and those that it has known before, unless the server was set
    /// back.
    private var known: KeyID?
    private var former: Set<KeyID> = []
    private(set) var summary = Summary()
    private(set) var trace: [String] = []

    // With a sender, some messages are sealed and opened, which is slow.
    init(seed: UInt64, sender: SigningKey?) throws {
        self.seed = seed
        self.sender = sender
        random = SeededRandom(seed: seed)
        server = RegistrationServer(time: time)
        folder = try RegistrationStateDirectory()
    }

    private var tokenText: String {
        token.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }

    private var registrar: DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device \(device)", directory: folder.path,
            senderPolicy: .anyone, time: time)
    }

    private mutating func chance(_ part: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < part
    }

    mutating func run(steps: Int) async throws {
        for _ in 0..<steps {
            let step = Int.random(in: 0..<100, using: &random)
            switch step {
            case 0..<45: try await start()
            case 45..<70: pass(days: Double(Int.random(in: 1...12, using: &random)))
            case 70..<75: newToken()
            case 75..<79: try reinstall()
            case 79..<82: try restoreOnAnotherDevice()
            case 82..<84: try returnToAnOldBackup()
            case 84..<86: setServerBack()
            case 86..<89: try spoilNotes()
            case 89..<91: try await renew()
            case 91..<92: deleteKeys()
            case 92..<94: try repeatARequest()
            case 94..<96: backup = store.stored
            default: serverBackup = server.recipients
            }
            try send()
            try check()
        }
        // At the end, with a working network, device and server agree.
        pass(days: 8)
        try await start(works: true)
        try check()
    }

    private func broken(_ what: String) -> Broken {
        Broken(description: "seed \(seed), \(what):\n" + trace.suffix(30).joined(separator: "\n"))
    }

    private mutating func note(_ text: String) { trace.append(text) }

    // MARK: The app

    /// Starts the app; its request may be lost, its keys may not be written, or it may be killed
    /// early.
    private mutating func start(works: Bool = false) async throws {
        summary.starts += 1
        let before = server.requests.count
        let primary = store.stored?.primary.key.publicKey
        let fault = works ? 9 : Int.random(in: 0..<10, using: &random)
        let (store, path) = (store, folder.path)
        switch fault {
        case 0, 1: server.network(.losingRequest, .losingRequest)
        case 2, 3: server.network(.losingAnswer, .losingAnswer)
        case 4: server.network(.working, .losingAnswer)
        case 5:
            server.beforeNext { store.behavior = .failingOnce(CocoaError(.fileWriteOutOfSpace)) }
        case 6:
            server.beforeNext {
                try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
            }
        default: server.network()
        }
        note("day \(time.now.timeIntervalSince1970 / Self.day), start with fault \(fault)")
        var failure: (any Error)?
        do {
            let server = server
            try await registrar.register(DeviceToken(token)) { try await server.register($0) }
        } catch {
            failure = error
            summary.failures += 1
        }
        try? FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        store.behavior = .working
        server.reset()
        let requests = server.requests.count - before
        if requests > 1 { summary.stale += 1 }
        if let primary, store.stored?.primary.key.publicKey != primary { summary.rotations += 1 }
        note("  \(requests) requests, \(failure.map { "\($0)" } ?? "all well")")
        guard failure == nil else {
            if works { throw broken("A start fails although everything works") }
            return
        }
        try await checkAgreement(hasAsked: requests > 0)
    }

    /// Checks that the server knows the primary key, and that another start sends nothing.
    private mutating func checkAgreement(hasAsked: Bool) async throws {
        if hasAsked {
            (serverSetBack, hasLostKeys) = (nil, false)
        } else if let setBack = serverSetBack, time.now.timeIntervalSince(setBack) >= 7 * Self.day {
            throw broken("The server was set back for more than a week, and gets no registration")
        }
        guard let ring = store.stored else { throw broken("There is no keyring after a start") }
        guard ring.pending.isEmpty else { throw broken("A key is pending that the server has") }
        if serverSetBack == nil, server.recipients[tokenText]?.key != ring.primary.key.publicKey {
            throw broken("The server has another key")
        }
        guard chance(0.3) else { return }
        let server = server
        let before = server.requests.count
        let start = try await registrar.register(DeviceToken(token)) {
            try await server.register($0)
        }
        guard start == .unchanged else { throw broken("The keys were not ready twice") }
        guard server.requests.count == before else { throw broken("Another start registers again") }
    }

    private mutating func renew() async throws {
        note("renew")
        let server = server
        if chance(0.5) { server.network(.losingRequest) }
        do {
            try await registrar.renew(DeviceToken(token)) { try await server.register($0) }
            (serverSetBack, hasLostKeys) = (nil, false)
        } catch {
            note("  \(error)")
        }
        server.reset()
    }

    // MARK: Events

    private mutating func pass(days: Double) {
        note("\(days) days")
        time.advance(by: days * Self.day)
    }

    private mutating func newToken() {
        note("new token")
        // APNs doesn't deliver to the old token any more, and the server learns that.
        server.recipients = [:]
        serverBackup = [:]
        underWay = []
        token = random.bytes(32)
    }

    private mutating func reinstall() throws {
        note("reinstall")
        try folder.put(nil)
        if chance(0.5) { newToken() }
    }

    private mutating func restoreOnAnotherDevice() throws {
        note("restore on another device")
        summary.restorations += 1
        device += 1
        if chance(0.8) { try folder.put(nil) }
        // Otherwise it's the same device with another name.
        if chance(0.5) { newToken() }
    }

    private mutating func returnToAnOldBackup() throws {
        guard let backup else { return }
        note("back to an old backup")
        summary.backups += 1
        // The state file isn't in a backup. Messages to newer keys are lost.
        try folder.put(nil)
        store = TestKeyringStore(backup)
        underWay = []
        hasLostKeys = true
    }

    private mutating func deleteKeys() {
        note("the keys are deleted")
        store = TestKeyringStore()
        underWay = []
        hasLostKeys = true
    }

    private mutating func setServerBack() {
        guard !serverBackup.isEmpty || chance(0.3) else { return }
        note("the server is set back")
        server.recipients = serverBackup
        (known, former) = (nil, [])
        if serverSetBack == nil { serverSetBack = time.now }
    }

    private mutating func spoilNotes() throws {
        note("the notes are spoiled")
        guard let notes = folder.contents, !notes.isEmpty else { return }
        try folder.put(Array(notes.prefix(Int.random(in: 0..<notes.count, using: &random))))
    }

    /// Delivers a request a second time, long after the first.
    private mutating func repeatARequest() throws {
        guard !hasLostKeys, serverSetBack == nil,
            let old = server.requests.filter({ $0.token == tokenText }).last
        else { return }
        note("a request arrives once more")
        try server.arrive(old.json, old.token)
    }

    // MARK: Messages

    /// Seals to the known key; the message may be in transit for its lifetime.
    private mutating func send() throws {
        guard !hasLostKeys, serverSetBack == nil, let recipient = server.recipients[tokenText]
        else { return }
        let id = recipient.key.keyID
        underWay.append((id, time.now + recipient.lifetime))
        guard let sender, chance(0.3) else { return }
        let push = try Sealer(.signed(by: sender), time: time)
            .seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: recipient.key)
        _ = try Opener(keys: store, senderPolicy: .signed(by: [sender.publicKey]), time: time)
            .open(json: push.payload)
        summary.opened += 1
    }

    /// Checks that the server hasn't returned to a former key, and that all messages in transit
    /// open.
    private mutating func check() throws {
        if let key = server.recipients[tokenText]?.key.keyID, key != known {
            if former.contains(key) { throw broken("The server returns to the key \(key)") }
            if let known { former.insert(known) }
            known = key
        }
        for message in underWay where time.now <= message.end {
            summary.deliveries += 1
            guard (try? store.recipientKey(message.key)) != nil else {
                throw broken("The key \(message.key) is gone, and a message is under way to it")
            }
        }
    }
}
