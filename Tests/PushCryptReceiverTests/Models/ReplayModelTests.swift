import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The walks through `Tests/Models/replay.pml`, with the real replay guard and its files.
@Suite(.thorough) struct ReplayModelTests {
    private struct Event: ModelEvent {
        let event: String
        var message: Int?
        var account: Int?
        var key: Int?
        var issued: Int?
        var expiration: Int?
        var now: Int?
        var answer: String?
        var created: Int?
    }

    private struct Message {
        let id: MessageID
        let account: String
        let key: Int
        let issued: Date
        let expiration: Date
    }

    /// A device whose guard has room for two messages of each account, as in the model.
    private struct Device {
        private let scratch: Scratch
        private let secrets = InMemorySecretsStore()
        private var messages: [Int: Message] = [:]
        private var created = [0: Device.hour(0)]

        init() throws { scratch = try Scratch() }

        private static func hour(_ number: Int) -> Date { .example + TimeInterval(number) * 3600 }

        private static func account(_ number: Int) -> String { number == 0 ? "" : "one" }

        private static func replayGuard(in scratch: Scratch, _ secrets: InMemorySecretsStore)
            -> FileReplayGuard
        {
            FileReplayGuard(path: scratch.file("ids"), capacity: 2, secrets: secrets)
        }

        private static func prepare(_ scratch: Scratch, _ secrets: InMemorySecretsStore, now: Date)
            throws
        {
            let found = try secrets.readOrCreate()
            for number in 0...1 {
                try replayGuard(in: scratch, secrets).prepare(
                    account: account(number), found, now: now)
            }
        }

        /// Takes an event, and returns the guard's answer.
        mutating func take(_ event: Event) throws -> String? {
            let now = Self.hour(event.now ?? 0)
            switch event.event {
            case "seal":
                let number = try #require(event.message)
                messages[number] = Message(
                    id: try GuardFile.id(number),
                    account: Self.account(try #require(event.account)),
                    key: try #require(event.key), issued: Self.hour(try #require(event.issued)),
                    expiration: Self.hour(try #require(event.expiration)))
            case "deliver":
                let number = try #require(event.message)
                return try answer(to: try #require(messages[number]), now: now)
            case "launch": try Self.prepare(scratch, secrets, now: now)
            case "lose": try removeFiles()
            case "copy": try copyFiles()
            case "key": created[1] = Self.hour(try #require(event.created))
            case "clock": break
            default: throw ModelDifference(description: "unknown event \(event.event)")
            }
            return nil
        }

        private func answer(to message: Message, now: Date) throws -> String {
            guard now <= message.expiration else { return "expired" }
            let keyCreation = created[message.key]
            let guarded = GuardedMessage(
                id: message.id, account: message.account, issuedAt: message.issued,
                expiration: message.expiration,
                keyCreation: { keyCreation })
            do {
                return try Self.replayGuard(in: scratch, secrets).admit(guarded, now: now) == .new
                    ? "new" : "repeated"
            } catch let error as PushCryptError where error.code == .replayed {
                return "replayed"
            } catch let error as PushCryptError where error.code == .possiblyReplayed {
                return "possiblyReplayed"
            }
        }

        private func removeFiles() throws {
            for name in try scratch.names {
                try FileManager.default.removeItem(atPath: scratch.file(name))
            }
        }

        private func copyFiles() throws {
            let other = try Scratch()
            try Self.prepare(other, InMemorySecretsStore(), now: .example)
            try removeFiles()
            for name in try other.names {
                scratch.write(try #require(other.contents(of: name)), to: name)
            }
        }
    }

    @Test("The guard answers as the model in each walk") func guardAnswersAsTheModel() throws {
        let walks = try ModelTraces.load("replay", as: Event.self)
        try #require(walks.count >= 100)
        var answers: [String: Int] = [:]
        for (number, walk) in walks.enumerated() {
            var device = try Device()
            for (index, event) in walk.enumerated() {
                let answer = try device.take(event)
                guard answer == event.answer else {
                    let path = walk[...index].suffix(12).map { "\($0)" }.joined(separator: "\n")
                    throw ModelDifference(
                        description: "walk \(number + 1), \(answer ?? "nil"):\n\(path)")
                }
                if let answer { answers[answer, default: 0] += 1 }
            }
        }
        // Each answer occurs.
        for answer in ["new", "repeated", "replayed", "possiblyReplayed", "expired"] {
            #expect(answers[answer, default: 0] >= 20, "\(answer)")
        }
    }

    @Test("The walks' messages have the lifetime of the format") func lifetimeIsTheFormats() throws
    {
        let hour: UInt64 = 3_600_000
        for message in try ModelTraces.load("replay", as: Event.self).joined()
        where message.event == "seal" {
            let age = try #require(message.expiration) - #require(message.issued)
            #expect(Freshness.standard.maximumAge(lifetime: 2 * hour) == UInt64(age) * hour)
        }
    }
}
