import Foundation
import PushCryptSystem
import PushCryptTesting
import Testing

@testable import PushCryptKeyring

/// A change of a keyring by the tool, with the keyrings before and after it.
struct KeyringScenario: Sendable, CustomTestStringConvertible {
    /// The file that all scenarios work on.
    static let file = "ring.jwks"

    let testDescription: String
    fileprivate let command: [String]
    /// A Boolean value that indicates whether a retired key is named after the command.
    fileprivate var namesRetiredKey = false
    /// A Boolean value that indicates whether the keyring is missing before.
    fileprivate var makes = false
    /// The age of the retired key's retirement in days.
    fileprivate var retiredDaysAgo = 5.0
    /// Returns whether a keyring is the result of the command.
    fileprivate let isResult:
        @Sendable (Keyring<RecipientPrivateKey>, _ before: Keyring<RecipientPrivateKey>?) -> Bool

    static let making = Self(testDescription: "make", command: ["keygen"], makes: true) {
        after, _ in
        after.generation == 1 && after.keys.count == 1
    }

    static let rotating = Self(testDescription: "rotate", command: ["keygen"]) { after, before in
        guard let before else { return false }
        return !before.ids.contains(after.primary.id)
            && after.pending.map(\.id) == before.pending.map(\.id)
            && after.retired.map(\.id) == [before.primary.id] + before.retired.map(\.id)
    }

    static let preparing = Self(testDescription: "prepare", command: ["keygen", "--pending"]) {
        after, before in
        guard let before, let new = after.pending.last?.id else { return false }
        return after.primary.id == before.primary.id && !before.ids.contains(new)
            && after.pending.dropLast().map(\.id) == before.pending.map(\.id)
            && after.retired.map(\.id) == before.retired.map(\.id)
    }

    static let promoting = Self(testDescription: "promote", command: ["keys", "promote"]) {
        after, before in
        guard let before else { return false }
        return [after.primary.id] == before.pending.map(\.id) && after.pending.isEmpty
            && after.retired.map(\.id) == [before.primary.id] + before.retired.map(\.id)
    }

    static let retiring = Self(testDescription: "retire", command: ["keys", "retire"]) {
        after, before in
        guard let before else { return false }
        return after.primary.id == before.primary.id && after.pending.isEmpty
            && after.retired.map(\.id) == before.pending.map(\.id) + before.retired.map(\.id)
    }

    static let destroying = Self(
        testDescription: "destroy", command: ["keys", "prune", "--leaked"], namesRetiredKey: true,
        isResult: isPruned)

    static let pruning = Self(
        testDescription: "prune", command: ["keys", "prune"], retiredDaysAgo: 40, isResult: isPruned
    )

    private static let isPruned:
        @Sendable (Keyring<RecipientPrivateKey>, Keyring<RecipientPrivateKey>?) -> Bool = {
            after, before in
            guard let before else { return false }
            return after.primary.id == before.primary.id
                && after.pending.map(\.id) == before.pending.map(\.id)
                && after.retired.isEmpty
        }

    static let all = [making, rotating, preparing, promoting, retiring, destroying, pruning]
}

/// A scenario with its keys and with messages to them.
final class PreparedScenario: Sendable {
    /// The command's arguments.
    let arguments: [String]
    /// The contents of the keyring file before; `nil` if the file is missing.
    let contents: Data?
    let before: Keyring<RecipientPrivateKey>?
    private let scenario: KeyringScenario
    private let messages: [Message]
    /// The keyrings that are known to open all messages, which depends on the file only.
    private let shown = LockedValue<Set<Data>>([])

    private struct Message: Sendable {
        static let text = #"{"aps":{"alert":"under way"}}"#
        let id: KeyID
        let sealed: String

        init(to key: RecipientPublicKey) throws {
            id = key.keyID
            let push = try Sealer(.anonymous).seal(json: Array(Self.text.utf8), for: key)
            sealed = String(decoding: push.payload, as: UTF8.self)
        }
    }

    /// The keyring in a directory after the command, or a part of it.
    enum State: Hashable {
        case absent, old, new
    }

    init(_ scenario: KeyringScenario) throws {
        self.scenario = scenario
        var ring: Keyring<RecipientPrivateKey>?
        let tool = try Tool()
        if !scenario.makes {
            let now = Date()
            var made = try Keyring<RecipientPrivateKey>(
                createdAt: now.addingTimeInterval(-90 * 24 * 3600))
            try made.rotate(at: now.addingTimeInterval(-scenario.retiredDaysAgo * 24 * 3600))
            try made.addPendingKey(at: now.addingTimeInterval(-24 * 3600))
            let file = KeyringFile<RecipientPrivateKey>(
                path: tool.path(KeyringScenario.file))
            ring = try file.updateOrCreate { $0 = made }
        }
        before = ring
        contents = scenario.makes ? nil : Data(try tool.read(KeyringScenario.file).utf8)
        messages = try ring?.keys.map { try Message(to: $0.publicKey) } ?? []
        let names = scenario.namesRetiredKey ? ring?.retired.map { "\($0.id)" } ?? [] : []
        arguments = scenario.command + names + ["--keyring", KeyringScenario.file]
    }

    /// A new directory with the keyring before the command.
    func directory() throws -> Tool {
        let tool = try Tool()
        if let contents { try tool.writeKeyring(contents) }
        return tool
    }

    /// Returns the system calls of the command without interference.
    func calls() throws -> [SystemCall] {
        let tool = try directory()
        let traced = try tool.trace(arguments)
        #expect(traced.run.status == 0)
        #expect(try state(in: tool, "after the command") == .new)
        let region = Array(traced.region)
        // The calls are those of a change.
        #expect(region.first?.kind == "openat" && region.last?.name == "exit_group")
        #expect(region.filter { $0.name == "fsync" }.count >= 2)
        return region
    }

    /// Returns the state of the keyring in a directory, and expects that it is whole and opens all
    /// messages to its keys.
    func state(in tool: Tool, _ place: String, opening: Bool = true) throws -> State {
        let path = tool.path(KeyringScenario.file)
        guard let found = FileManager.default.contents(atPath: path) else {
            #expect(contents == nil, "\(place): the keyring is gone")
            return .absent
        }
        let ring: Keyring<RecipientPrivateKey>
        do {
            ring = try KeyringFile<RecipientPrivateKey>(path: path).read()
        } catch {
            Issue.record(error, "\(place): the keyring does not load")
            throw error
        }
        let state: State = found == contents ? .old : .new
        if state == .new {
            #expect(ring.generation == (before?.generation ?? 0) + 1, "\(place)")
            #expect(
                scenario.isResult(ring, before),
                "\(place): the keyring is neither the old nor the new one")
        }
        if opening, shown.withLock({ $0.insert(found).inserted }) {
            try showThatItOpens(ring, state, tool, place)
        }
        return state
    }

    private func showThatItOpens(
        _ ring: Keyring<RecipientPrivateKey>, _ state: State, _ tool: Tool, _ place: String
    ) throws {
        let list = try tool.run("keys", "list", "--json", "--keyring", KeyringScenario.file)
        let listed = try JSONSerialization.jsonObject(with: list.output) as? [String: Any]
        #expect(
            list.status == 0 && listed?["generation"] as? UInt64 == ring.generation,
            "\(place): \(list.text)")
        let check = try tool.run("keys", "check", "--keyring", KeyringScenario.file)
        #expect(check.status == 0, "\(place): \(check.errors)")
        for message in try messages + [Message(to: ring.primary.key.publicKey)] {
            let open = try tool.run(
                "open", "--anyone", "--keyring", KeyringScenario.file, input: message.sealed)
            if ring.ids.contains(message.id) {
                #expect(
                    open.text == Message.text, "\(place): a message does not open: \(open.errors)")
            } else {
                // The command was to remove a key, and `isResult` checks which.
                #expect(
                    state == .new && open.errors.contains("[unknown-key]"),
                    "\(place): \(open.errors)")
            }
        }
    }

    /// Expects that the next command succeeds, as a user would run it after an accident.
    func expectThatTheNextKeygenSucceeds(in tool: Tool, _ place: String) throws {
        let before = try? tool.keyring()
        let run = try tool.run("keygen", "--keyring", KeyringScenario.file)
        #expect(run.status == 0, "\(place): \(run.errors)")
        let after = try tool.keyring()
        #expect(after.generation == (before?.generation ?? 0) + 1, "\(place)")
        let kept = before?.ids.filter { after.ids.contains($0) }
        #expect(kept == before?.ids, "\(place)")
        #expect(
            try tool.names == [KeyringScenario.file, KeyringScenario.file + ".lock"],
            "\(place): something was left behind")
    }
}

extension Tool {
    /// The keyring of a scenario.
    func keyring() throws -> Keyring<RecipientPrivateKey> {
        try KeyringFile<RecipientPrivateKey>(path: path(KeyringScenario.file)).read()
    }

    /// Writes a keyring into the directory.
    func writeKeyring(_ contents: Data) throws {
        let made = FileManager.default.createFile(
            atPath: path(KeyringScenario.file), contents: contents,
            attributes: [.posixPermissions: NSNumber(value: 0o600)])
        try #require(made)
    }
}

extension Keyring {
    /// The ids of all keys, in every state.
    var ids: [KeyID] { keys.map(\.publicKey.keyID) }
}

extension Keyring.Entry {
    var id: KeyID { key.publicKey.keyID }
}

extension Keyring.RetiredEntry {
    var id: KeyID { key.publicKey.keyID }
}
