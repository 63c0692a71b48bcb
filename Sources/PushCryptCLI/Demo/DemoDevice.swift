internal import Dispatch
internal import PushCryptReceiver
internal import PushCryptSender
internal import PushCryptSystem

/// A device with one key, which receives pushes through the handler that extensions use.
struct DemoDevice {
    private let inbox: PushInbox

    /// Creates a device whose extension has a deadline in seconds, which is 20 by default.
    init(_ keys: any KeyStore, accepting sender: VerificationKey, deadline: Double = 10) {
        var configuration = PushConfiguration(keys: keys, senderPolicy: .signed(by: [sender]))
        configuration.deadline = deadline
        inbox = PushInbox(configuration)
    }

    /// Returns the notification that the device displays for a push.
    func receive(_ payload: [UInt8]) throws(PushCryptError) -> Presented {
        let notification = try DeliveredNotification(json: payload)
        let shown = LockedValue<Presented?>(nil)
        let done = DispatchSemaphore(value: 0)
        inbox.begin(notification, with: NeutralHost(notification)) { presented in
            shown.withLock { $0 = presented }
            done.signal()
        }
        guard done.wait(timeout: .now() + 30) == .success, let result = shown.withLock({ $0 })
        else {
            throw PushCryptError(
                .deadlinePassed, "The demo's device did not answer. This is a bug in PushCrypt.")
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
