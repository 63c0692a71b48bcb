import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A device with an extension, a list of displayed notifications, and files that both use.
///
/// Like the system, it displays and removes notifications some time later, and replaces those with
/// the same identifier.
final class WithdrawalPhone: DeliveredList {
    struct Shown: Sendable, Equatable {
        var identifier: String
        var content: NotificationContent
    }

    let scratch: Scratch
    let clock = TestClock(.example)
    let device: RecipientPrivateKey
    let other: RecipientPrivateKey
    let server: SigningKey
    let otherServer: SigningKey
    private let state = LockedValue<(shown: [Shown], badge: Int?)>(([], nil))
    let events = LockedValue<[PushCryptError.Code]>([])
    let countsBadge: Bool

    init(countsBadge: Bool = false) throws {
        scratch = try Scratch()
        device = try TestKeys.device()
        other = try TestKeys.device(.bob)
        server = try TestKeys.sender()
        otherServer = try TestKeys.sender(.mallory)
        self.countsBadge = countsBadge
    }

    var store: SharedStore { SharedStore(directory: scratch.path, time: clock) }

    /// Records a withdrawal of the first account's server, as a process that is killed afterwards
    /// does.
    func withdraw(_ withdrawal: Withdrawal, at date: Date = .example + 1) throws {
        let now = clock.now.millisecondsSince1970
        try store.withLedger { (ledger, hash) throws(PushCryptError) in
            try ledger.withdraw(withdrawal, account: "one", issuedAt: date, hash, now: now)
        }
    }

    var shown: [String: NotificationContent] {
        Dictionary(
            state.withLock { $0.shown }.map { ($0.identifier, $0.content) },
            uniquingKeysWith: { $1 })
    }

    var badge: Int? { state.withLock { $0.badge } }

    func remove(_ identifiers: [String]) {
        state.withLock { state in state.shown.removeAll { identifiers.contains($0.identifier) } }
    }

    func identifiers() async -> Set<String> { Set(state.withLock { $0.shown }.map(\.identifier)) }

    func setBadge(_ count: Int) async { state.withLock { $0.badge = count } }

    func display(_ content: NotificationContent, _ identifier: String) {
        guard content.hasText else { return }
        state.withLock { state in
            state.shown.removeAll { $0.identifier == identifier }
            state.shown.append(Shown(identifier: identifier, content: content))
        }
    }

    /// The settings of the app and its extension.
    var configuration: PushConfiguration {
        var configuration = PushConfiguration(accounts: [
            PushAccount(
                "one", keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: server.publicKey)
            ),
            PushAccount(
                "two", keys: InMemoryKeyStore([other]),
                senderPolicy: .signed(by: otherServer.publicKey)),
        ])
        configuration.hasFilteringEntitlement = true
        configuration.keepsUserInfoSealed = false
        configuration.countsBadge = countsBadge
        configuration.directory = scratch.path
        configuration.time = clock
        return configuration
    }

    func inbox(
        hasFilteringEntitlement: Bool = true, fallback: FallbackText = .standard,
        keepsUserInfoSealed: Bool = false
    ) -> PushInbox {
        inbox { configuration in
            configuration.hasFilteringEntitlement = hasFilteringEntitlement
            configuration.fallback = fallback
            configuration.keepsUserInfoSealed = keepsUserInfoSealed
        }
    }

    /// Returns an inbox with other settings.
    func inbox(_ change: (inout PushConfiguration) -> Void) -> PushInbox {
        var configuration = configuration
        change(&configuration)
        return PushInbox(configuration, clock: clock)
    }

    /// The settings of one account without a name that accepts anyone's messages.
    func acceptAnyone(_ configuration: inout PushConfiguration) {
        configuration.accounts = [
            PushAccount("", keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        ]
    }

    /// Opens displayed notifications again, as the app does.
    func reopen(_ displayed: [DeliveredNotification], with inbox: PushInbox? = nil) -> [Presented?]
    {
        let inbox = inbox ?? self.inbox()
        return waiting { [self] in
            await inbox.reopen(displayed.map { ($0, NeutralHost($0, list: self)) }, self)
        }
    }

    func sealed(
        _ json: String, at seconds: TimeInterval = 0, for account: String = "one",
        signer: SigningKey? = nil,
        lifetime: TimeInterval = 3600
    ) throws -> [UInt8] {
        var sealer = Sealer(
            .signed(by: signer ?? (account == "one" ? server : otherServer)),
            time: TestClock(.example + seconds))
        sealer.lifetime = lifetime
        return try sealer.seal(
            json: json.utf8, for: account == "one" ? device.publicKey : other.publicKey
        ).payload
    }

    func message(_ body: String, thread: String = "t") -> String {
        #"{"aps":{"alert":{"title":"title","body":"\#(body)"},"thread-id":"\#(thread)"}}"#
    }

    /// Delivers a push, displays what the extension hands over, and returns it.
    @discardableResult
    func deliver(_ payload: [UInt8], _ identifier: String, with inbox: PushInbox? = nil) throws
        -> Presented
    {
        let json = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] ?? [:]
        let delivered = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"), userInfo: json,
            identifier: identifier)
        let result = LockedValue<Presented?>(nil)
        let done = DispatchSemaphore(value: 0)
        let app = NeutralHost.App(log: { [events] event in
            if let failure = event.failure { events.withLock { $0.append(failure.code) } }
        })
        let host = NeutralHost(delivered, app: app, list: self)
        (inbox ?? self.inbox()).begin(delivered, with: host) { handedOver in
            result.withLock { $0 = handedOver }
            done.signal()
        }
        done.wait()
        guard let result = result.withLock({ $0 }) else { throw CocoaError(.coderInvalidValue) }
        display(result.content, identifier)
        return result
    }
}
