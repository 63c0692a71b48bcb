import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import PushCryptSystem
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// The senders of a scenario: the servers of its accounts, and outsiders.
struct ScenarioSender {
    private let device: ScenarioDevice
    private let pool: ScenarioPool
    private var number = 0

    init(_ device: ScenarioDevice, _ pool: ScenarioPool) {
        self.device = device
        self.pool = pool
    }

    /// Returns a key with which an account's server, another server or an outsider signs; `nil`
    /// doesn't sign.
    private func signer(_ account: ScenarioAccount, _ random: inout SeededRandom) throws
        -> SigningKey?
    {
        let choice = Int.random(in: 0..<20, using: &random)
        switch choice {
        case 0: return nil
        case 1: return pool.stranger
        case 2: return pool.roots[Int.random(in: 0..<4, using: &random)]
        case 3: return pool.online[Int.random(in: 0..<4, using: &random)]
        default: return try acceptedKey(account)
        }
    }

    /// Returns a key that the device accepts now.
    func acceptedKey(_ account: ScenarioAccount) throws -> SigningKey {
        guard let roots = try account.policy.roots, !account.store.isLocked,
            let accepted = try roots.acceptedKeys(with: account.store.signerLists()).first
        else { return account.roots.first ?? pool.stranger }
        return (pool.roots + pool.online).first { $0.publicKey == accepted } ?? pool.stranger
    }

    /// Returns the key to which a server seals: its newest one, an earlier one, or another
    /// device's.
    private func recipient(_ account: ScenarioAccount, _ random: inout SeededRandom)
        -> RecipientPublicKey
    {
        let keys = account.server.state.withLock { $0.recipients }
        let choice = Int.random(in: 0..<20, using: &random)
        guard let last = keys.last, choice > 0 else { return pool.otherDevice.publicKey }
        return choice < 3 ? keys[Int.random(in: 0..<keys.count, using: &random)] : last
    }

    /// Creates a notification, or perhaps a message of another kind.
    mutating func message(_ random: inout SeededRandom) throws -> ScenarioMessage {
        number += 1
        let index = Int.random(in: 0..<device.accounts.count, using: &random)
        let account = device.accounts[index]
        let choice = Int.random(in: 0..<30, using: &random)
        let body = "m\(number)"
        let thread =
            Bool.random(using: &random)
            ? #","thread-id":"t\#(Int.random(in: 0..<2, using: &random))""# : ""
        let alert =
            #"{"aps":{"alert":{"title":"Shop","body":"\#(body)"},"sound":"default"\#(thread)}}"#
        let hasCollapseID = Int.random(in: 0..<4, using: &random) == 0
        let draft = Draft(
            body: body, account: index, kind: choice == 0 ? .voip : .notification, json: alert,
            collapseID: hasCollapseID
                ? "\(account.name)-\(Int.random(in: 0..<2, using: &random))" : nil)
        var message = try seal(draft, signedBy: signer(account, &random), &random)
        if choice == 1 { message = message.replacing(damaged(message.sealed, &random)) }
        return message
    }

    /// Creates a withdrawal of collapse IDs or threads.
    mutating func withdrawal(_ random: inout SeededRandom) throws -> ScenarioMessage {
        number += 1
        let index = Int.random(in: 0..<device.accounts.count, using: &random)
        let target = device.accounts[Int.random(in: 0..<device.accounts.count, using: &random)].name
        let which = Int.random(in: 0..<2, using: &random)
        let json =
            Bool.random(using: &random)
            ? #"{"collapse-ids":["\#(target)-\#(which)"]}"# : #"{"thread-ids":["t\#(which)"]}"#
        let draft = Draft(body: "", account: index, kind: .withdrawal, json: json)
        return try seal(draft, signedBy: signer(device.accounts[index], &random), &random)
    }

    /// Seals a challenge for a registration.
    mutating func challenge(_ index: Int, _ random: inout SeededRandom) throws -> ScenarioMessage? {
        let account = device.accounts[index]
        let next = account.server.state.withLock { state in state.challenges.popLast() }
        guard let next else { return nil }
        let nonce = Base64URL.encode(random.bytes(32))
        let json = #"{"challenge":"\#(nonce)","expires":\#(next.expires)}"#
        let draft = Draft(
            body: "", account: index, kind: .challenge, json: json, recipient: next.key)
        return try seal(draft, signedBy: acceptedKey(account), &random)
    }

    private struct Draft {
        let body: String
        let account: Int
        let kind: MessageKind
        let json: String
        var collapseID: String?
        var recipient: RecipientPublicKey?
    }

    private func seal(
        _ draft: Draft, signedBy key: SigningKey?, _ random: inout SeededRandom
    ) throws -> ScenarioMessage {
        let now = device.clock.milliseconds
        let isPrompt = draft.recipient != nil || Int.random(in: 0..<10, using: &random) < 6
        let offsets: [Int64] = [
            -60_000, -3_600_000, -86_400_000, -9 * 86_400_000, 600_000, 50 * 3_600_000,
        ]
        let offset =
            isPrompt
            ? -Int64.random(in: 0..<900, using: &random) : offsets.randomElement(using: &random)
        let issued = now + (offset ?? 0)
        let lifetime: Int64 = Int.random(in: 0..<3, using: &random) == 0 ? 3600 : 7 * 86_400
        var sealer = Sealer(
            key.map { .signed(by: $0) } ?? .anonymous, time: ScenarioClock(milliseconds: issued))
        sealer.lifetime = TimeInterval(lifetime)
        let recipient = draft.recipient ?? self.recipient(device.accounts[draft.account], &random)
        let kind: MessageKind? =
            draft.kind == .notification || draft.kind == .withdrawal ? nil : draft.kind
        let headers = APNsHeaders(draft.kind == .challenge ? .background : .alert)
        let payload = try sealer.seal(json: draft.json, for: recipient, headers: headers, as: kind)
            .payload
        return ScenarioMessage(
            body: draft.body, account: draft.account, kind: draft.kind, payload: payload,
            collapseID: draft.collapseID,
            issued: issued, lifetime: lifetime,
            sealed: String(
                decoding: try SealedValue(json: payload, from: .apns).text, as: UTF8.self))
    }

    /// Returns a sealed value with one changed character, or without its end.
    private func damaged(_ text: String, _ random: inout SeededRandom) -> String {
        var bytes = Array(text.utf8)
        if Bool.random(using: &random) {
            return String(decoding: bytes.prefix(bytes.count / 2), as: UTF8.self)
        }
        let place = Int.random(in: 0..<bytes.count - 1, using: &random)
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
