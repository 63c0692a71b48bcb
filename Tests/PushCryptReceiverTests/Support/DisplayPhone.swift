import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A device whose system displays what the extension hands over, and the push itself if the
/// extension is killed before.
final class DisplayPhone: DeliveredList {
    /// A notification in the system's list.
    struct Shown: Sendable {
        let identifier: String
        var content: NotificationContent
        /// `userInfo` as JSON.
        var userInfo: [UInt8]
        let date: Date
        /// A Boolean value that indicates whether the extension has handed it over.
        let isHandedOver: Bool

        var delivered: DeliveredNotification {
            get throws {
                DeliveredNotification(
                    content: content, userInfo: try systemDictionary(userInfo),
                    identifier: identifier, date: date)
            }
        }
    }

    /// The moment at which the system kills the extension.
    enum Kill: CaseIterable {
        case never, atTheStart, afterOpening, beforeTheHandOver, afterTheHandOver
    }

    let scratch: Scratch
    let clock = TestClock(.example)
    let device: RecipientPrivateKey
    let server: SigningKey
    let secrets = InMemorySecretsStore()
    let keepsUserInfoSealed: Bool
    let hasFilteringEntitlement: Bool
    private let list = LockedValue<[Shown]>([])
    private let isDead = LockedValue(false)
    /// The number of times that the app's code ran for each message's body.
    let appRuns = LockedValue<[String: Int]>([:])
    /// The app's decision about each message.
    let shows = LockedValue(true)
    /// The number of sounds for each message's body.
    let sounds = LockedValue<[String: Int]>([:])

    init(
        keepsUserInfoSealed: Bool = true, hasFilteringEntitlement: Bool = false,
        isPrepared: Bool = true
    ) throws {
        scratch = try Scratch()
        device = try TestKeys.device()
        server = try TestKeys.sender()
        self.keepsUserInfoSealed = keepsUserInfoSealed
        self.hasFilteringEntitlement = hasFilteringEntitlement
        if isPrepared { try store.prepare(display: .full) }
    }

    var store: SharedStore { SharedStore(directory: scratch.path, secrets: secrets, time: clock) }

    /// The settings of the app and its extension.
    var configuration: PushConfiguration {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: server.publicKey))
        configuration.keepsUserInfoSealed = keepsUserInfoSealed
        configuration.hasFilteringEntitlement = hasFilteringEntitlement
        configuration.directory = scratch.path
        configuration.secrets = secrets
        configuration.time = clock
        return configuration
    }

    /// The inbox of a new process.
    var inbox: PushInbox { inbox { _ in } }

    /// Returns the inbox of a new process with other settings.
    func inbox(_ change: (inout PushConfiguration) -> Void) -> PushInbox {
        var configuration = configuration
        change(&configuration)
        return PushInbox(configuration, clock: clock)
    }

    func sealed(_ json: String, at seconds: TimeInterval = 0, lifetime: TimeInterval = 86_400)
        throws -> [UInt8]
    {
        var sealer = Sealer(.signed(by: server), time: TestClock(.example + seconds))
        sealer.lifetime = lifetime
        return try sealer.seal(json: json.utf8, for: device.publicKey).payload
    }

    func message(_ body: String, category: String? = "MESSAGE") -> String {
        let member = category.map { #","category":"\#($0)""# } ?? ""
        return #"{"aps":{"alert":{"title":"Bob","body":"\#(body)"},"sound":"s"\#(member)}}"#
    }

    /// Records a withdrawal, and removes nothing.
    func withdraw(_ withdrawal: Withdrawal) throws {
        let now = clock.now.millisecondsSince1970
        try store.withLedger { (ledger, hash) throws(PushCryptError) in
            try ledger.withdraw(withdrawal, account: "", issuedAt: .example, hash, now: now)
        }
    }

    // MARK: The system

    var shown: [Shown] { list.withLock { $0 } }

    func shown(_ identifier: String) -> Shown? { shown.first { $0.identifier == identifier } }

    func remove(_ identifiers: [String]) {
        guard !isDead.withLock({ $0 }) else { return }
        list.withLock { list in list.removeAll { identifiers.contains($0.identifier) } }
    }

    func identifiers() async -> Set<String> { Set(shown.map(\.identifier)) }

    func setBadge(_ count: Int) async {}

    /// Displays a push as an attacker has written it, without the extension.
    @discardableResult
    func displayUnchanged(
        _ payload: [UInt8], _ identifier: String, as content: NotificationContent
    ) throws -> Shown {
        let shown = Shown(
            identifier: identifier, content: content, userInfo: payload, date: clock.now,
            isHandedOver: false)
        display(shown)
        return shown
    }

    private func display(_ shown: Shown) {
        guard shown.content.hasText else { return }
        list.withLock { list in
            list.removeAll { $0.identifier == shown.identifier }
            list.append(shown)
        }
    }

    /// Delivers a push to the extension, and displays the result.
    @discardableResult
    func deliver(
        _ payload: [UInt8], _ identifier: String, kill: Kill = .never,
        delivered attributes: NotificationContent? = nil,
        with inbox: PushInbox? = nil, customization: PushInbox.Customization? = nil
    ) throws -> PushOutcome? {
        let placeholder = attributes ?? NotificationContent(body: "(Encrypted)")
        let notification = DeliveredNotification(
            content: placeholder, userInfo: try systemDictionary(payload), identifier: identifier)
        let inbox = inbox ?? self.inbox
        guard kill != .atTheStart, kill != .afterOpening else {
            if kill == .afterOpening { _ = inbox.open(notification) }
            try displayUnchanged(payload, identifier, as: placeholder)
            return nil
        }
        let presented = try run(notification, inbox, kill, customization)
        guard kill != .beforeTheHandOver else {
            try displayUnchanged(payload, identifier, as: placeholder)
            return nil
        }
        count(presented)
        var userInfo = try Self.userInfo(of: presented.content, delivered: payload)
        // The system's content has its own dictionary.
        if presented.outcome.kind == .kept { userInfo = shown(identifier)?.userInfo ?? userInfo }
        display(
            Shown(
                identifier: identifier, content: presented.content, userInfo: userInfo,
                date: clock.now,
                isHandedOver: true))
        isDead.withLock { $0 = false }
        return presented.outcome
    }

    private func run(
        _ notification: DeliveredNotification, _ inbox: PushInbox, _ kill: Kill,
        _ customization: PushInbox.Customization?
    ) throws -> Presented {
        let result = LockedValue<Presented?>(nil)
        let done = DispatchSemaphore(value: 0)
        let app = NeutralHost.App(
            shouldShow: { [appRuns, shows] push in
                let body = (try? PayloadReader(push).content().body) ?? ""
                appRuns.withLock { $0[body, default: 0] += 1 }
                return shows.withLock { $0 }
            }, customization: customization, log: { if $0.outcome != nil { done.signal() } })
        let host = NeutralHost(
            notification, app: app, list: self, displayed: { [self] in displayed(shown) })
        inbox.begin(notification, with: host) { [self] presented in
            // A dead process removes nothing afterwards.
            isDead.withLock { $0 = kill == .beforeTheHandOver || kill == .afterTheHandOver }
            result.withLock { $0 = presented }
        }
        done.wait()
        defer { isDead.withLock { $0 = false } }
        guard let presented = result.withLock({ $0 }) else { throw CocoaError(.coderInvalidValue) }
        return presented
    }

    /// Returns notifications as the system's list has them.
    func displayed(_ shown: [Shown]) -> [DisplayedNotification] {
        shown.compactMap { shown in
            (try? shown.delivered).map { delivered in
                DisplayedNotification(
                    delivered,
                    content: NeutralContent(content: shown.content, sealed: delivered.source))
            }
        }
    }

    private func count(_ presented: Presented) {
        guard presented.content.sound != nil else { return }
        sounds.withLock { $0[presented.content.body, default: 0] += 1 }
    }

    /// Returns `userInfo` as the system keeps it, by the rules of the Apple layer.
    private static func userInfo(of content: NotificationContent, delivered: [UInt8]) throws
        -> [UInt8]
    {
        var members =
            try content.originalPayload ?? JSONValue(parsing: delivered).objectValue ?? [:]
        members["pushcrypt.receipt"] = content.receipt.map { .string($0) }
        if content.losesSealedValue { members["ENCRYPTED_DATA"] = nil }
        return try JSONValue.object(members).json()
    }

    // MARK: The app

    /// Reads a displayed notification in the app.
    func read(_ identifier: String, _ inbox: PushInbox? = nil) throws -> PayloadReader {
        guard let shown = shown(identifier) else { throw CocoaError(.fileNoSuchFile) }
        return try (inbox ?? self.inbox).read(shown.delivered)
    }

    /// Opens what the extension couldn't open, as the app does when it becomes active.
    func reopen(_ inbox: PushInbox? = nil) throws {
        let displayed = try shown.map { try $0.delivered }
        let payloads = shown.map(\.userInfo)
        let inbox = inbox ?? self.inbox
        let results = waiting { [self] in
            await inbox.reopen(displayed.map { ($0, NeutralHost($0, list: self)) }, self)
        }
        for (index, result) in results.enumerated() {
            guard let result else { continue }
            let (notification, payload) = (displayed[index], payloads[index])
            display(
                Shown(
                    identifier: notification.identifier, content: result.content,
                    userInfo: try Self.userInfo(of: result.content, delivered: payload),
                    date: clock.now,
                    isHandedOver: true))
        }
    }
}
