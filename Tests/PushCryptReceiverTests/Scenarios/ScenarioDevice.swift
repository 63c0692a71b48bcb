import Foundation
import PushCryptCore
import PushCryptSystem

@testable import PushCryptReceiver

/// A device with the Swift receiver, which takes the steps of a scenario.
///
/// It has the carrier, the screen and the kills of Tests/Receiver/README.md, which lists the
/// differences to iOS.
final class ScenarioDevice {
    /// The parts that an account needs.
    struct Parts {
        let keys: ScenarioKeys
        let directory: String
        let clock: ScenarioClock
        let seed: UInt64
    }

    /// A message whose arrival is recorded, and that isn't displayed as sealed yet.
    struct Waiting {
        let arrival: Date
        var hasFallback = false
    }

    let clock: ScenarioClock
    let keys = ScenarioKeys()
    let accounts: [ScenarioAccount]
    let screen = ScenarioScreen()
    private let directory: String
    private let secrets = InMemorySecretsStore()
    private let keepsUserInfoSealed: Bool
    private(set) var store: SharedStore
    var waiting: [String: Waiting] = [:]
    /// The sealed values whose text was displayed, or needs no display.
    var done: Set<String> = []
    /// The time at which the state was lost last, in milliseconds since 1970.
    private(set) var lost: Int64 = 0
    /// A Boolean value that indicates whether the replay guard may have forgotten a message while
    /// it waited.
    ///
    /// The Java receiver remembers until the oldest message that waits isn't judged any more.
    var hasForgotten = false
    private var deliveries = 0

    init(clock: ScenarioClock, seed: UInt64, accounts: (Parts) throws -> [ScenarioAccount]) throws {
        self.clock = clock
        keepsUserInfoSealed = seed.isMultiple(of: 2)
        // Each change syncs a file, which is fast in memory.
        let memory = "/dev/shm"
        let isFast = FileManager.default.isWritableFile(atPath: memory)
        let parent = isFast ? memory : FileManager.default.temporaryDirectory.path
        directory = parent + "/pushcrypt-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        store = SharedStore(
            directory: directory, secrets: secrets, mostPrivateDisplay: .full, time: clock)
        self.accounts = try accounts(
            Parts(keys: keys, directory: directory, clock: clock, seed: seed))
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var isLocked: Bool {
        get { accounts[0].store.isLocked }
        set { for account in accounts { account.store.isLocked = newValue } }
    }

    // MARK: The process

    /// Begins another process.
    func start() {
        store = SharedStore(
            directory: directory, secrets: secrets, mostPrivateDisplay: .full, time: clock)
    }

    func prepare() throws { try store.prepare(accounts: accounts.map(\.name), display: .full) }

    /// Deletes the files of the guard, the withdrawals and the challenges.
    func loseState() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory)
        where name.hasPrefix("pushcrypt.") {
            try FileManager.default.removeItem(atPath: directory + "/" + name)
        }
        screen.forget()
        waiting = [:]
        done = []
        lost = clock.milliseconds
    }

    func loseInstallation(_ account: ScenarioAccount) throws {
        try? FileManager.default.removeItem(atPath: account.directory + "/pushcrypt.device")
    }

    func registrar(_ account: ScenarioAccount) -> DeviceRegistrar {
        account.registrar(store, clock)
    }

    private var configuration: PushConfiguration {
        var configuration = PushConfiguration(accounts: accounts.map(\.pushAccount))
        configuration.carrier = .firebaseAndroid
        configuration.keepsUserInfoSealed = keepsUserInfoSealed
        configuration.hasFilteringEntitlement = true
        configuration.mostPrivateDisplay = .full
        configuration.directory = directory
        configuration.secrets = secrets
        configuration.time = clock
        return configuration
    }

    var inbox: PushInbox { PushInbox(configuration, timer: clock) }

    /// Returns the reason for which a message doesn't open now, without recording it; `nil` if it
    /// opens.
    func refusal(of message: ScenarioMessage, arrival: Date? = nil) -> PushCryptError.Code? {
        do throws(PushCryptError) {
            let value = SealedValue(text: Array(message.sealed.utf8))
            let kinds = MessageKind.alert + [.background]
            _ = try configuration.opener.open(value, as: kinds, deliveredAt: arrival)
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: Deliveries

    /// Delivers a message, and returns the outcome.
    func deliver(_ message: ScenarioMessage, kill: ScenarioKill?) throws -> String {
        if kill == .atArrival { return "killed" }
        deliveries += 1
        let sealed = message.sealed
        let known = screen[sealed]
        let isFirst = waiting[sealed] == nil
        let arrival = waiting[sealed]?.arrival ?? clock.now
        if isFirst { waiting[sealed] = Waiting(arrival: arrival) }
        let identifier = message.collapseID ?? "n\(deliveries)"
        let placeholder = ScenarioScreen.Notice(
            sealed: sealed, identifier: identifier,
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: message.payload, date: arrival, isHidden: true, isFallback: true)
        if kill == .beforeOpen {
            if known == nil { screen.show(placeholder) }
            return "killed"
        }
        let notification = DeliveredNotification(
            content: placeholder.content, userInfo: try systemDictionary(message.payload),
            identifier: identifier,
            date: isFirst ? nil : arrival, carrier: .firebaseAndroid)
        let before = screen.values
        let isDone = done.contains(sealed)
        let isVisible = known.map { !$0.isHidden } ?? false
        let presented = try handle(notification) { presented in
            guard kill == .beforeDisplay else { return false }
            return Self.isDisplayed(presented.outcome, isDone: isDone, isVisible: isVisible)
        }
        if screen.isDead {
            screen.isDead = false
            interrupt(known, placeholder, presented.outcome)
            return "killed"
        }
        let isDisplayed = Self.isDisplayed(presented.outcome, isDone: isDone, isVisible: isVisible)
        try display(presented, of: placeholder, known: known, isDone: isDone)
        end(before.subtracting(screen.values).subtracting([sealed]))
        if kill == .afterDisplay, isDisplayed {
            waiting[sealed] = Waiting(arrival: Self.isNew(presented.outcome) ? clock.now : arrival)
            return "killed"
        }
        finish(sealed, presented.outcome)
        return outcome(presented)
    }

    /// Ends the waiting of messages whose notifications were withdrawn or replaced.
    func end(_ removed: Set<String>) {
        for sealed in removed { waiting[sealed] = nil }
        done.formUnion(removed)
    }

    /// Displays the system's placeholder, which has the date at which the message was admitted.
    private func interrupt(
        _ known: ScenarioScreen.Notice?, _ placeholder: ScenarioScreen.Notice,
        _ outcome: PushOutcome
    ) {
        var notice = placeholder
        if Self.isNew(outcome) { notice.date = clock.now }
        notice.isHidden = known?.isHidden ?? true
        screen.show(notice)
        waiting[notice.sealed] = Waiting(arrival: notice.date)
    }

    /// Returns whether a message was admitted now, and not before.
    private static func isNew(_ outcome: PushOutcome) -> Bool {
        [.opened, .reduced].contains(outcome.kind)
    }

    /// Returns whether a result is displayed: a fallback only if neither it nor the text was
    /// displayed before.
    private static func isDisplayed(_ outcome: PushOutcome, isDone: Bool, isVisible: Bool) -> Bool {
        switch outcome.kind {
        case .opened, .reduced: true
        case .repeated: !isDone
        case .fallback: !isDone && !isVisible
        default: false
        }
    }

    private func handle(
        _ notification: DeliveredNotification, isKilled: @escaping @Sendable (Presented) -> Bool
    ) throws -> Presented {
        let result = LockedValue<Presented?>(nil)
        let end = DispatchSemaphore(value: 0)
        let screen = screen
        let host = NeutralHost(
            notification, app: .init(log: { if $0.outcome != nil { end.signal() } }), list: screen,
            displayed: {
                screen.known.filter { !$0.isHidden }.compactMap { notice in
                    (try? notice.delivered).map { delivered in
                        DisplayedNotification(
                            delivered,
                            content: NeutralContent(
                                content: notice.content, sealed: delivered.source))
                    }
                }
            })
        inbox.begin(notification, with: host) { presented in
            screen.isDead = isKilled(presented)
            result.withLock { $0 = presented }
        }
        end.wait()
        guard let presented = result.withLock({ $0 }) else { throw CocoaError(.coderInvalidValue) }
        return presented
    }

    /// Displays the result as Android does: a repeated message doesn't come back, and a challenge
    /// has no text.
    private func display(
        _ presented: Presented, of placeholder: ScenarioScreen.Notice,
        known: ScenarioScreen.Notice?, isDone: Bool
    ) throws {
        let content = presented.content
        var isShown = false
        switch presented.outcome.kind {
        case .opened, .reduced: isShown = true
        case .repeated: isShown = !isDone || known != nil
        case .fallback:
            let waitsAgain = known.map { $0.isHidden || $0.isForgotten && $0.isFallback } ?? true
            isShown = !isDone && waitsAgain
        case .challenge, .withdrawal, .dropped, .withdrawn:
            screen.remove(sealed: placeholder.sealed)
        default: break
        }
        guard isShown else { return }
        screen.show(
            ScenarioScreen.Notice(
                sealed: placeholder.sealed, identifier: placeholder.identifier, content: content,
                userInfo: try Self.userInfo(of: content, delivered: placeholder.userInfo),
                date: placeholder.date,
                isFallback: presented.outcome.push == nil))
    }

    /// Returns `userInfo` as the system keeps it.
    static func userInfo(of content: NotificationContent, delivered: [UInt8]) throws -> [UInt8] {
        var members =
            try content.originalPayload ?? JSONValue(parsing: delivered).objectValue ?? [:]
        members["pushcrypt.receipt"] = content.receipt.map { .string($0) }
        if content.losesSealedValue { members["ENCRYPTED_DATA"] = nil }
        return try JSONValue.object(members).json()
    }

    /// The failures after which the app opens the message again.
    static let retried: [PushCryptError.Code] = [.deviceLocked, .unknownSigner, .issuedInFuture]

    private func finish(_ sealed: String, _ outcome: PushOutcome) {
        switch outcome.kind {
        case .fallback:
            guard let code = outcome.failure?.code, Self.retried.contains(code) else {
                return waiting[sealed] = nil
            }
            waiting[sealed]?.hasFallback = true
        case .challenge, .replayed, .unsealed:
            waiting[sealed] = nil
        default:
            waiting[sealed] = nil
            // The kept text hides a failure of the copy.
            if outcome.failure == nil { done.insert(sealed) }
        }
    }

    private func outcome(_ presented: Presented) -> String {
        let outcome = presented.outcome
        switch outcome.kind {
        case .opened, .reduced: return "opened"
        case .dropped, .withdrawn: return "withdrawn"
        case .fallback: return "fallback \(outcome.failure?.code.rawValue ?? "")"
        // The kept text hides the decision about the copy.
        case .kept where presented.withdrawal != nil: return "withdrawal"
        case .kept:
            if let code = outcome.failure?.code {
                return code == .replayed ? "replayed" : "fallback \(code.rawValue)"
            }
            return outcome.push?.isRepeated == true ? "repeated" : "kept"
        default: return outcome.kind.rawValue
        }
    }
}
