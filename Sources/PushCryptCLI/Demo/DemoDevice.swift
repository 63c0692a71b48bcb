internal import Dispatch
internal import PushCryptReceiver
internal import PushCryptSender
internal import PushCryptSystem

/// A device with one key, which receives pushes through the handler that extensions use.
struct DemoDevice {
    typealias Shown = PresentedNotification<NotificationContent>

    private let keys: any KeyStore
    private let policy: SenderPolicy
    /// The deadline of the extension in seconds, which is 20 by default.
    private let deadline: Double

    init(_ keys: any KeyStore, accepting sender: VerificationKey, deadline: Double = 10) {
        self.keys = keys
        policy = .signed(by: [sender])
        self.deadline = deadline
    }

    /// Returns the notification that the device displays for a push.
    func receive(_ payload: [UInt8]) throws(PushCryptError) -> Shown {
        let notification = try DeliveredNotification(json: payload)
        let opener = Opener(keys: keys, senderPolicy: policy)
        let handler = NotificationHandler(NotificationOpener(opener), deadline: deadline)
        let shown = LockedValue<Shown?>(nil)
        let done = DispatchSemaphore(value: 0)
        handler.begin(notification, on: NeutralPlatform(notification), for: handler.app) { presented in
            shown.withLock { $0 = presented }
            done.signal()
        }
        guard done.wait(timeout: .now() + 30) == .success, let result = shown.withLock({ $0 }) else {
            throw PushCryptError(.deadlinePassed, "The demo's device did not answer. This is a bug in PushCrypt.")
        }
        return result
    }
}

/// A key store that never answers, as a keychain may if the system is busy.
struct HangingKeyStore: KeyStore {
    func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        DispatchSemaphore(value: 0).wait()
        throw PushCryptError(.keyUnreadable, "The store doesn't answer.")
    }

    func signerLists() throws -> [String] { [] }
}
