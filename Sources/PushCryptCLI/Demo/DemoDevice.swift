internal import Dispatch
internal import PushCryptCore
internal import PushCryptReceiver

/// A device that receives one push, through the same handler that an extension uses.
struct DemoDevice {
    let keys: any KeyStore
    let accepting: SenderPolicy

    /// After how many seconds the device shows what it has.
    ///
    /// A real extension takes 20.
    var deadline = 10.0

    /// Delivers a payload and waits for what is shown.
    func receive(_ payload: [UInt8]) throws(PushCryptError) -> PresentedNotification {
        let presenter = NotificationPresenter(Opener(keys: keys, accepting: accepting))
        let shown = Protected<(content: NotificationContent?, outcome: NotificationOutcome?)>((nil, nil))
        let done = DispatchSemaphore(value: 0)
        let handler = NotificationHandler(
            presenter, deadline: deadline,
            log: { event in
                if case .presented(let outcome) = event { shown.withValue { $0.outcome = outcome } }
                done.signal()
            })
        handler.handle(try DeliveredNotification(json: payload)) { content in
            shown.withValue { $0.content = content }
        }
        guard done.wait(timeout: .now() + 30) == .success, case (let content?, let outcome?) = shown.withValue({ $0 })
        else {
            throw PushCryptError(.deadlinePassed, "The demo's device did not answer; this is a defect of PushCrypt.")
        }
        return PresentedNotification(content: content, outcome: outcome)
    }
}
