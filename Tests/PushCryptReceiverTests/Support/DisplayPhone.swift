import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A device whose system displays what the extension hands over, and the push itself if the extension is killed before.
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
                    content: content, userInfo: try systemDictionary(userInfo), identifier: identifier, date: date)
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

    init(keepsUserInfoSealed: Bool = true, hasFilteringEntitlement: Bool = false, isPrepared: Bool = true) throws {
        scratch = try Scratch()
        device = try TestKeys.device()
        server = try TestKeys.sender()
        self.keepsUserInfoSealed = keepsUserInfoSealed
        self.hasFilteringEntitlement = hasFilteringEntitlement
        if isPrepared { try state.prepare(display: .full) }
    }

    var state: SharedState { SharedState(directory: scratch.path, secrets: secrets, time: clock) }

    /// The opener of the app, which has no replay guard.
    var appOpener: Opener {
        Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: server.publicKey), secrets: secrets,
            time: clock)
    }

    func notificationOpener(
        keepsDeliveredAttributes: Bool = false, secrets: (any DeviceSecretsStore)? = nil
    ) -> NotificationOpener {
        let state = state
        return NotificationOpener(
            Opener(
                keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: server.publicKey),
                replayGuard: state.replayGuard, secrets: secrets ?? state.secrets, time: clock),
            keepsUserInfoSealed: keepsUserInfoSealed, keepsDeliveredAttributes: keepsDeliveredAttributes,
            hasFilteringEntitlement: hasFilteringEntitlement, shared: state.notifications)
    }

    func sealed(_ json: String, at seconds: TimeInterval = 0, lifetime: TimeInterval = 86_400) throws -> [UInt8] {
        var sealer = Sealer(.signed(by: server), time: TestClock(.example + seconds))
        sealer.lifetime = lifetime
        return try sealer.seal(json: json.utf8, for: device.publicKey).payload
    }

    func message(_ body: String, category: String? = "MESSAGE") -> String {
        let member = category.map { #","category":"\#($0)""# } ?? ""
        return #"{"aps":{"alert":{"title":"Bob","body":"\#(body)"},"sound":"s"\#(member)}}"#
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
            identifier: identifier, content: content, userInfo: payload, date: clock.now, isHandedOver: false)
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
        _ payload: [UInt8], _ identifier: String, kill: Kill = .never, delivered attributes: NotificationContent? = nil,
        with opener: NotificationOpener? = nil, customization: NotificationHandler.Customization? = nil
    ) throws -> NotificationOutcome? {
        let placeholder = attributes ?? NotificationContent(body: "(Encrypted)")
        let notification = DeliveredNotification(
            content: placeholder, userInfo: try systemDictionary(payload), identifier: identifier)
        let opener = opener ?? notificationOpener()
        guard kill != .atTheStart, kill != .afterOpening else {
            if kill == .afterOpening { _ = opener.open(notification) }
            try displayUnchanged(payload, identifier, as: placeholder)
            return nil
        }
        let presented = try run(notification, opener, kill, customization)
        guard kill != .beforeTheHandOver else {
            try displayUnchanged(payload, identifier, as: placeholder)
            return nil
        }
        count(presented)
        var userInfo = try Self.userInfo(of: presented.content, delivered: payload)
        // The system's content has its own dictionary.
        if case .kept = presented.presentation { userInfo = shown(identifier)?.userInfo ?? userInfo }
        display(
            Shown(
                identifier: identifier, content: presented.content, userInfo: userInfo, date: clock.now,
                isHandedOver: true))
        isDead.withLock { $0 = false }
        return presented.outcome
    }

    private func run(
        _ notification: DeliveredNotification, _ opener: NotificationOpener, _ kill: Kill,
        _ customization: NotificationHandler.Customization?
    ) throws -> PresentedNotification<NotificationContent> {
        let result = LockedValue<PresentedNotification<NotificationContent>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let platform = NeutralPlatform(
            notification, customization: customization, deliveredList: self, displayed: { [self] in displayedNow })
        let handler = NotificationHandler(
            opener, timer: clock,
            shouldShow: { [appRuns, shows] push in
                let body = (try? PayloadReader(push).content().body) ?? ""
                appRuns.withLock { $0[body, default: 0] += 1 }
                return shows.withLock { $0 }
            }, deliveryLog: state.deliveryLog, log: { if $0.outcome != nil { done.signal() } })
        handler.begin(notification, on: platform, for: handler.app) { [self] presented in
            // A dead process removes nothing afterwards.
            isDead.withLock { $0 = kill == .beforeTheHandOver || kill == .afterTheHandOver }
            result.withLock { $0 = presented }
        }
        done.wait()
        defer { isDead.withLock { $0 = false } }
        guard let presented = result.withLock({ $0 }) else { throw CocoaError(.coderInvalidValue) }
        return presented
    }

    private var displayedNow: [DisplayedNotification<NotificationContent>] {
        shown.compactMap { shown in
            (try? shown.delivered).map { DisplayedNotification($0, content: shown.content) }
        }
    }

    private func count(_ presented: PresentedNotification<NotificationContent>) {
        guard presented.content.sound != nil else { return }
        sounds.withLock { $0[presented.content.body, default: 0] += 1 }
    }

    /// Returns `userInfo` as the system keeps it, by the rules of the Apple layer.
    private static func userInfo(of content: NotificationContent, delivered: [UInt8]) throws -> [UInt8] {
        var members = try content.originalPayload ?? JSONValue(parsing: delivered).objectValue ?? [:]
        members["pushcrypt.receipt"] = content.receipt.map { .string($0) }
        if content.losesSealedValue { members["ENCRYPTED_DATA"] = nil }
        return try JSONValue.object(members).json()
    }

    // MARK: The app

    /// Reads a displayed notification in the app.
    func read(_ identifier: String, _ opener: Opener? = nil) throws -> PayloadReader {
        guard let shown = shown(identifier) else { throw CocoaError(.fileNoSuchFile) }
        return try PayloadReader(shown.delivered, opener: opener ?? appOpener, unsealed: .reject)
    }

    /// Opens what the extension couldn't open, as the app does when it becomes active.
    func reopen() throws {
        let opener = notificationOpener()
        let displayed = try shown.map { try $0.delivered }
        let payloads = shown.map(\.userInfo)
        for (index, result) in opener.reopen(all: displayed, self).enumerated() {
            guard let result else { continue }
            let (notification, payload) = (displayed[index], payloads[index])
            let content = opener.silentContent(result, for: notification, on: NeutralPlatform(notification))
            display(
                Shown(
                    identifier: notification.identifier, content: content,
                    userInfo: try Self.userInfo(of: content, delivered: payload), date: clock.now, isHandedOver: true))
        }
    }
}
