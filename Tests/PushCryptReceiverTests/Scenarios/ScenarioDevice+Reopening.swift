import Foundation
import PushCryptCore

@testable import PushCryptReceiver

extension ScenarioDevice {
    /// Opens again what waits, as the app does when it becomes active.
    func resume(_ messages: [ScenarioMessage]) throws {
        for (sealed, each) in waiting where each.hasFallback && screen[sealed] == nil {
            waiting[sealed] = nil
        }
        let before = screen.values
        let notices = screen.known.filter { !$0.isFallback || waiting[$0.sealed] != nil }
        let (inbox, screen) = (inbox, screen)
        let delivered = try notices.map { try $0.delivered }
        let results = PushCryptReceiverTests.waiting {
            await inbox.reopen(delivered.map { ($0, NeutralHost($0, list: screen)) }, screen)
        }
        for (notice, result) in zip(notices, results) {
            guard let result else { continue }
            let content = result.content
            if result.outcome.kind == .challenge {
                screen.remove(sealed: notice.sealed)
            } else {
                screen.show(
                    ScenarioScreen.Notice(
                        sealed: notice.sealed, identifier: notice.identifier, content: content,
                        userInfo: try Self.userInfo(of: content, delivered: notice.userInfo),
                        date: notice.date,
                        isFallback: false))
            }
        }
        end(before.subtracting(screen.values))
        screen.reveal()
        for message in messages { settle(message) }
    }

    /// Ends the waiting of a message, unless the reason for its fallback may have gone by the next
    /// time.
    private func settle(_ message: ScenarioMessage) {
        guard let waits = waiting[message.sealed] else { return }
        if let code = refusal(of: message, arrival: waits.arrival) {
            let isRetried = Self.retried.contains(code)
            waiting[message.sealed] =
                isRetried ? Waiting(arrival: waits.arrival, hasFallback: true) : nil
        } else {
            waiting[message.sealed] = nil
            // A replay, or a message from before the state was lost, stays a fallback.
            let isFallback = screen[message.sealed]?.isFallback == true
            if !isFallback { done.insert(message.sealed) }
            if isFallback, message.issued > lost { hasForgotten = true }
        }
    }
}
