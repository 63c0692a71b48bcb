import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The walks through `Tests/Models/registration.pml`, with the real registrar, its file and the
/// server's records.
@Suite(.thorough) struct RegistrationModelTests {
    @Test("Device and server act as the model in each walk") func deviceAndServerActAsTheModel()
        async throws
    {
        let walks = try ModelTraces.load("registration", as: RegistrationModelEvent.self)
        try #require(walks.count >= 100)
        var counts: [String: Int] = [:]
        for (number, walk) in walks.enumerated() {
            var world = try RegistrationModelWorld()
            do {
                try await world.run(walk)
            } catch let difference as ModelDifference {
                throw ModelDifference(description: "walk \(number + 1): \(difference)")
            }
            for event in walk {
                counts[event.isStale == 1 ? "stale" : event.event, default: 0] += 1
            }
        }
        // Each event occurs.
        let events = "stale rotate renew backup restore reinstall delete thief repeat setBack"
            .split(separator: " ")
        for event in events {
            #expect(counts[String(event), default: 0] >= 10, "\(event)")
        }
    }
}

struct RegistrationModelEvent: ModelEvent {
    let event: String
    var network: String?
    var generation: UInt64?
    var key: Int?
    var token: Int?
    var isStale: Int?
    var known: UInt64?
    var isReinstalled: Int?
    var primary: Int?
    var pending: Int?
    var rowGeneration: UInt64?
    var rowKey: Int?
}

/// A device, its backups and its server, which take the events of a walk.
struct RegistrationModelWorld {
    private let time = TestClock()
    private let server: RegistrationServer
    private let folder: RegistrationStateDirectory
    private var store = TestKeyringStore()
    private var backup: DeviceKeyring?
    private var firstRow: Recipient?
    private var token = 0
    /// The real keys of the model's keys, by number; 0 is the thief's.
    private var keys: [Int: RecipientPublicKey]
    /// The requests by key, generation and token.
    private var sent: [[Int]: String] = [:]

    init() throws {
        server = RegistrationServer(time: time)
        folder = try RegistrationStateDirectory()
        keys = [0: try TestKeys.device(.bob).publicKey]
    }

    private var registrar: DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, senderPolicy: .anyone,
            time: time)
    }

    private func bytes(of token: Int) -> [UInt8] { [UInt8](repeating: UInt8(token + 1), count: 32) }

    private func text(of token: Int) -> String { String(repeating: "0\(token + 1)", count: 32) }

    // MARK: Events

    mutating func run(_ walk: [RegistrationModelEvent]) async throws {
        var index = 0
        while index < walk.count {
            let event = walk[index]
            index += 1
            if event.event == "start" {
                let end = walk[index...].firstIndex { $0.event == "state" } ?? walk.endIndex
                guard end < walk.endIndex else { return }
                try await start(Array(walk[index..<end]))
                try compare(walk[end])
                index = end + 1
            } else {
                try take(event)
            }
            if firstRow == nil { firstRow = server.recipients[text(of: 0)] }
        }
    }

    private mutating func take(_ event: RegistrationModelEvent) throws {
        let now = time.now
        switch event.event {
        case "rotate":
            try store.update { (keyring) throws(PushCryptError) in
                _ = try keyring?.addPendingKey(at: now)
            }
        case "renew": _ = try registrar.keys().renew()
        case "backup": backup = store.stored
        case "restore":
            store = TestKeyringStore(backup)
            if event.isReinstalled == 1 { try folder.put(nil) }
        case "reinstall":
            try folder.put(nil)
            token = try #require(event.token)
        case "delete": server.recipients[text(of: 0)] = nil
        case "setBack": server.recipients[text(of: 0)] = firstRow
        case "thief":
            let name = try #require(event.key)
            let key = try #require(keys[name])
            let registration = Registration(
                key: key, generation: try #require(event.generation), created: now)
            try arrive(registration.json, event, token)
        case "repeat":
            let token = try #require(event.token)
            let number = Int(try #require(event.generation))
            let key = try #require(event.key)
            try arrive(try #require(sent[[key, number, token]]), event, token)
        default: throw ModelDifference(description: "unknown event \(event.event)")
        }
    }

    private func arrive(_ json: String, _ event: RegistrationModelEvent, _ token: Int) throws {
        let response = try server.arrive(json, text(of: token))
        let expected: RegistrationResponse.Kind =
            event.isStale == 1 ? .stale(event.known ?? 0) : .accepted
        guard response.kind == expected else {
            throw ModelDifference(description: "\(event): \(response.kind)")
        }
    }

    /// Starts the app, with the network of the model's requests.
    private mutating func start(_ requests: [RegistrationModelEvent]) async throws {
        let before = server.requests.count
        server.reset()
        server.setNetwork(
            requests.map {
                $0.network == "losesRequest"
                    ? .losingRequest : $0.network == "losesAnswer" ? .losingAnswer : .working
            })
        let server = server
        // What is lost, or stale twice, is an error that the next start corrects.
        _ = try? await registrar.register(DeviceToken(bytes(of: token))) {
            try await server.register($0)
        }
        let actual = server.requests[before...]
        guard actual.count == requests.count else {
            throw ModelDifference(description: "\(actual.count) requests instead of \(requests)")
        }
        for (request, event) in zip(actual, requests) {
            let registration = try Registration(parsing: request.json)
            guard registration.generation == event.generation,
                try isKey(registration.key, event.key)
            else {
                throw ModelDifference(
                    description: "generation \(registration.generation) instead of \(event)")
            }
            let number = Int(registration.generation)
            sent[[try #require(event.key), number, token]] = request.json
        }
    }

    // MARK: Comparison

    private mutating func compare(_ state: RegistrationModelEvent) throws {
        let ring = try #require(store.stored)
        let row = server.recipients[text(of: token)]
        var isRow = (row?.registration.generation ?? 0) == state.rowGeneration
        if let row, try !isKey(row.key, state.rowKey) { isRow = false }
        guard ring.generation == state.generation,
            try isKey(ring.primary.key.publicKey, state.primary),
            try isKey(ring.pending.last?.key.publicKey, state.pending), ring.pending.count <= 1,
            isRow
        else {
            throw ModelDifference(
                description:
                    "generation \(ring.generation), row \(row?.registration.generation ?? 0): \(state)"
            )
        }
    }

    /// Returns whether a key is the one that the model has numbered; 0 is no key of the device.
    private mutating func isKey(_ key: RecipientPublicKey?, _ number: Int?) throws -> Bool {
        let number = try #require(number)
        guard let key else { return number == 0 }
        if keys[number] == nil, !keys.values.contains(key) { keys[number] = key }
        return keys[number] == key
    }
}
