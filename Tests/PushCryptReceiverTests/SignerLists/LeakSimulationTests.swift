import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The days from the revocation of a leaked key until the last device refuses it, as in
/// Docs/KeyManagement.md.
///
/// A device refuses the key when it has stored the list without it. The registrar asks the server
/// once a week, after more than two days without a start, or when a push asks for it. The model:
/// the app starts daily or weekly, up to four hours earlier or later, with a connection. The server
/// sends a push that asks on each of the first 14 days.
@Suite(.thorough) struct LeakSimulationTests {
    /// The arrival of the pushes that ask the app to register.
    enum Requests: CaseIterable {
        /// The server sends none.
        case none
        /// Each arrives within a day with a chance of one half.
        case unreliable
        /// The first arrives within a minute.
        case reliable
    }

    @Test(
        "The last device is safe within the documented days", arguments: [1.0, 7.0],
        Requests.allCases)
    func lastDevice(daysBetweenStarts: Double, requests: Requests) async throws {
        let devices = LongRun.count(4, full: 200)
        let limit = requests == .reliable ? 0.1 : 8
        var worst = 0.0
        for number in 0..<devices {
            var device = try LeakDevice(
                seed: UInt64(number), daysBetweenStarts: daysBetweenStarts, requests: requests)
            worst = max(worst, try await device.daysUntilSafe())
        }
        print(
            "leak: starts every \(Int(daysBetweenStarts)) days, requests \(requests): \(worst) days"
        )
        #expect(worst <= limit && worst > 0)
    }
}

/// One device that has registered for a while when the key is revoked.
private struct LeakDevice {
    private let time = TestClock()
    private let store = TestKeyringStore()
    private let folder: RegistrationStateDirectory
    private let server: RegistrationServer
    private let root: SigningKey
    private let leaked: SigningKey
    private let interval: Double
    private let requests: LeakSimulationTests.Requests
    private var random: SeededRandom
    private let token = [UInt8](repeating: 0x0a, count: 32)

    init(seed: UInt64, daysBetweenStarts: Double, requests: LeakSimulationTests.Requests) throws {
        folder = try RegistrationStateDirectory()
        server = RegistrationServer(time: time)
        root = try TestKeys.sender()
        leaked = try TestKeys.sender(.mallory)
        interval = daysBetweenStarts * 86_400
        self.requests = requests
        random = SeededRandom(seed: seed)
    }

    private var registrar: DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path,
            senderPolicy: .signed(by: root.publicKey),
            time: time)
    }

    private func hand(_ keys: [SigningKey]) throws {
        server.signerLists = [
            try SignerList(
                keys: keys.map(\.publicKey), issued: time.now, expiration: time.now + 365 * 86_400,
                signedBy: Signer(root)
            ).text
        ]
    }

    private var isSafe: Bool {
        get throws {
            let roots = SignerRoots([root.publicKey])
            return try !roots.acceptedKeys(with: store.signerLists()).contains(leaked.publicKey)
        }
    }

    private func start() async throws {
        try await registrar.register(DeviceToken(token)) { [server] in try await server.register($0)
        }
    }

    private struct Event {
        let date: Date
        let isStart: Bool
    }

    mutating func daysUntilSafe() async throws -> Double {
        try hand([root, leaked])
        // Regular starts before the leak, which then comes at any time between two of them.
        var starts: [Date] = []
        let first = time.now
        for number in 0..<22 {
            starts.append(
                first + Double(number) * interval
                    + Double.random(in: -4 * 3600...4 * 3600, using: &random))
        }
        let leak = first + 4 * interval + Double.random(in: 0..<7 * 86_400, using: &random)
        var events = starts.map { Event(date: $0, isStart: true) }
        events += requestDates(after: leak).map { Event(date: $0, isStart: false) }
        events.sort { $0.date < $1.date }
        var isRevoked = false
        for event in events where event.date > time.now {
            if event.date > leak, !isRevoked {
                time.advance(by: leak.timeIntervalSince(time.now))
                try hand([root])
                isRevoked = true
            }
            time.advance(by: event.date.timeIntervalSince(time.now))
            if event.isStart {
                try await start()
            } else {
                _ = try await registrar.register(
                    ifAskedBy: ["aps": ["content-available": 1]], DeviceToken(token)
                ) { [server] in try await server.register($0) }
            }
            if isRevoked, try isSafe { return time.now.timeIntervalSince(leak) / 86_400 }
        }
        return .infinity
    }

    private mutating func requestDates(after leak: Date) -> [Date] {
        switch requests {
        case .none: return []
        case .reliable: return [leak + Double.random(in: 1..<60, using: &random)]
        case .unreliable:
            var dates: [Date] = []
            for day in 0..<14 where Bool.random(using: &random) {
                dates.append(
                    leak + Double(day) * 86_400 + Double.random(in: 60..<86_400, using: &random))
            }
            return dates
        }
    }
}
