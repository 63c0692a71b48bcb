internal import Dispatch
internal import PushCryptCore
internal import PushCryptReceiver

/// A device that receives one push, through the same handler that an extension uses.
struct DemoDevice {
    let keys: any KeyStore
    let senderPolicy: SenderPolicy

    /// After how many seconds the device shows what it has.
    ///
    /// A real extension takes 20.
    var deadline = 10.0

    /// Delivers a payload and waits for what is shown.
    func receive(_ payload: [UInt8]) throws(PushCryptError) -> NotificationResult {
        let presenter = NotificationOpener(Opener(keys: keys, senderPolicy: senderPolicy))
        let shown = LockedValue<(content: NotificationContent?, outcome: NotificationOutcome?)>((nil, nil))
        let done = DispatchSemaphore(value: 0)
        let handler = NotificationHandler(
            presenter, deadline: deadline,
            log: { event in
                if case .presented(let outcome) = event { shown.withLock { $0.outcome = outcome } }
                done.signal()
            })
        handler.handle(try DeliveredNotification(json: payload)) { content in
            shown.withLock { $0.content = content }
        }
        guard done.wait(timeout: .now() + 30) == .success, case (let content?, let outcome?) = shown.withLock({ $0 })
        else {
            throw PushCryptError(.deadlinePassed, "The demo's device did not answer; this is a defect of PushCrypt.")
        }
        return NotificationResult(content: content, outcome: outcome)
    }
}
