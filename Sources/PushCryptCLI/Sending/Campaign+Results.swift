internal import Foundation
internal import PushCryptSender

/// The results of pushes, and the outages that they reveal.
extension Campaign {
    /// The number of times that a push is sent again by the campaign if it gets no answer from a
    /// server that can be reached.
    private static let maximumSilences = 2

    func receive(_ result: NumberedResult) {
        switch result.result {
        case .accepted(let mayArriveTwice):
            guard let push = window.remove(result.number) else { return }
            writer.add(
                reader.format.accepted(push, mayArriveTwice: mayArriveTwice), to: push.number)
            endOutage()
        case .failed(let failure):
            receive(failure, of: result.number)
        }
    }

    private func receive(_ failure: PushFailure, of number: Int) {
        if failure.concernsAllPushes {
            window.keep(number, after: failure)
            close(.failed(failure.error))
        } else if failure.isUnreachable {
            window.keep(number, after: failure)
            beginOutage(failure)
            outage?.endProbe(number, at: Clock.now)
        } else if failure.status == nil, failure.advice.isUnsent {
            window.doubt(number, after: failure)
            if outage != nil { keepDoubtful() }
            outage?.endProbe(number, at: Clock.now)
        } else if let push = window.remove(number) {
            writer.add(reader.format.failed(push, failure), to: number)
            if failure.status != nil { endOutage() }
        }
    }

    /// Lets time begin, prolong or end what depends on it.
    func watchTime(_ now: TimeInterval) {
        if let cancellation = closing?.cancellation, now >= cancellation, window.inFlight > 0 {
            closing?.cancellation = nil
            closing?.limit = now + settings.grace
            sender.cancelAll()
        }
        guard closing == nil else { return }
        if outage != nil, window.inFlight == 0, !window.hasWaiting { outage = nil }
        guard let outage, outage.isOver(at: now, patience: settings.patience) else { return }
        close(.unreachable(outage.failure.error))
    }

    /// Begins an outage if some pushes got no answer, and no other one could tell whether the
    /// server can be reached.
    func endDoubt() {
        if window.inFlight == 0, let failure = window.firstDoubt { beginOutage(failure) }
    }

    private func beginOutage(_ failure: PushFailure) {
        guard closing == nil, outage == nil else { return }
        outage = Outage(failure, at: Clock.now, settings.pauses)
        keepDoubtful()
    }

    /// Keeps the pushes that got no answer for the end of the outage, but gives up those that got
    /// none repeatedly.
    private func keepDoubtful() {
        giveUpDoubtful { $0.silences >= Self.maximumSilences }
        window.keepDoubtful()
    }

    /// Ends an outage, because the server has answered; without one, the doubtful pushes have
    /// failed on their own.
    private func endOutage() {
        guard outage == nil else {
            outage = nil
            return
        }
        if !window.doubtful.isEmpty, closing == nil { giveUpDoubtful { _ in true } }
    }

    private func giveUpDoubtful(where isGivenUp: (OpenPush) -> Bool) {
        for push in window.removeDoubtful(where: isGivenUp) {
            guard let failure = push.failure else { continue }
            writer.add(reader.format.failed(push, failure), to: push.number)
        }
    }

    /// Displays the progress on a terminal.
    func show() {
        guard writer.progress.isVisible else { return }
        lines.show(state(at: Clock.now))
    }

    /// The reason why no push is sent; `nil` if there is none.
    func state(at now: TimeInterval) -> String? {
        guard closing == nil else {
            return "waiting for \(window.inFlight) answers; interrupt again to end"
        }
        guard let outage else { return nil }
        return
            "waiting for APNs for \(Int(outage.duration(at: now))) s (\(outage.failure.error.code))"
    }
}
