internal import Foundation
internal import PushCryptCore
internal import PushCryptSystem

/// The way of one notification, from the system's request to the content that the device displays.
///
/// | Step | What happens |
/// |---|---|
/// | begin | the delivery log records that the extension has begun: the first access to the store |
/// | open | the message is decrypted and verified |
/// | look up | the guard and the ledger record the message and tell what they know: access 2 |
/// | improve | the app decides, files are attached, the app customizes; a withdrawal removes |
/// | compare | a copy or an older message is compared with what is displayed |
/// | decide | ``Decision``: the third access |
/// | hand over | the system gets the content |
///
/// The first three run on a queue of the request, and the next ones in a task, if they are needed.
/// Each offers better content to the gate. The last step, the deadline or the expiry has the gate
/// decide about the best content so far.
struct NotificationRequest: Sendable {
    typealias Gate = DeliveryGate<Presented>

    let notification: DeliveredNotification
    let inbox: PushInbox
    let host: any NotificationHost

    /// The system's uptime at the deadline.
    let end: TimeInterval

    private let record = RequestRecord()

    init(
        notification: DeliveredNotification, inbox: PushInbox, host: any NotificationHost,
        end: TimeInterval
    ) {
        self.notification = notification
        self.inbox = inbox
        self.host = host
        self.end = end
    }

    /// Returns the gate, which decides about the content and presents it.
    func gate(fallbackReason: PushCryptError, present: @escaping Gate.Handler) -> Gate {
        let decision = Decision(
            notification: notification, inbox: inbox, host: host, record: record)
        return Gate(
            fallback: inbox.originals.presented(notification, failing: fallbackReason),
            needsSteps: host.hasSteps,
            decide: { best, isLast in decision.decided(best, isLast: isLast) },
            afterwards: { presented in
                // Not before: if the process were ended between, neither notification would display
                // the text.
                if let list = host.list { inbox.removeDoubles(presented.doubles, from: list) }
                report(presented.outcome)
            },
            handler: present)
    }

    /// Takes the first steps, and starts a task for the later ones if the notification needs them.
    func run(_ request: RunningRequest, _ gate: Gate) {
        begin()
        do throws(PushCryptError) {
            let push = try opened()
            offer(try lookedUp(OpenedMessage(push, of: notification), gate), for: request, to: gate)
        } catch {
            if error.code == .notSealed, let foreign = inbox.foreignPush(of: notification) {
                startTask(request) {
                    offer(
                        await openedForeign(foreign, failing: error, gate: gate), for: request,
                        to: gate)
                }
            } else {
                offer(failed(because: error), for: request, to: gate)
            }
        }
    }

    // MARK: Begin

    /// Records the beginning, unless the request has ended: the entry would look like a crash.
    ///
    /// It reads the secrets first, and not under a lock, because their store may block longer than
    /// the request lasts.
    private func begin() {
        inbox.store?.readSecrets()
        let log = inbox.store?.deliveryLog
        let fingerprint = log?.fingerprint(of: notification)
        do throws(PushCryptError) {
            try record.state.withLock { (state) throws(PushCryptError) in
                state.hasReadSecrets = true
                state.fingerprint = fingerprint
                if !state.hasEnded { state.begun = try log?.begin(fingerprint) }
            }
        } catch {
            host.log(PushEvent(.deliveryLogUnavailable(error)))
        }
    }

    // MARK: Open

    /// Opens the sealed value.
    private func opened() throws(PushCryptError) -> OpenedPush {
        try inbox.verified(notification, as: MessageKind.alert)
    }

    /// Has the foreign openers open the push, and looks the message up.
    private func openedForeign(_ push: ForeignPush, failing notSealed: PushCryptError, gate: Gate)
        async -> Presented
    {
        do throws(PushCryptError) {
            guard let message = try await inbox.foreignMessage(push, of: notification) else {
                return failed(because: notSealed)
            }
            return try lookedUp(message, gate)
        } catch {
            return failed(because: error)
        }
    }

    private func failed(because error: PushCryptError) -> Presented {
        inbox.originals.presented(notification, failing: error) { inbox.store?.display ?? .full }
    }

    // MARK: Look up

    /// Asks the store, and returns what is displayed for a message before the app's steps.
    private func lookedUp(_ message: OpenedMessage, _ gate: Gate) throws(PushCryptError)
        -> Presented
    {
        // After the deadline or the expiry, opening would use up the message's ID in the replay
        // guard.
        guard !gate.isClosed else {
            throw PushCryptError(
                .deadlinePassed,
                "The message was opened after the deadline. Check the key store's speed.")
        }
        var message = message
        let found = try inbox.lookUp(&message, deliveredAt: notification.date)
        // A copy of it may be displayed, which came before the identifier that the withdrawal
        // names.
        if found.verdict == .withdrawn, let list = host.list { inbox.beginRemoval(from: list) }
        record.state.withLock { state in
            state.placed = message.placed
            state.found = found
        }
        return try inbox.originals.presented(message, found, replacing: notification)
    }

    // MARK: Improve

    /// Offers content to the gate, and starts a task for the later steps if it needs them.
    private func offer(_ presented: Presented, for request: RunningRequest, to gate: Gate) {
        switch gate.step({ $0.opened(presented) }) {
        case .improve, .again: startTask(request) { await improve(presented, gate) }
        case .decide, .handOver, nil: break
        }
    }

    private func startTask(_ request: RunningRequest, _ steps: @escaping @Sendable () async -> Void)
    {
        let task = Task(priority: .userInitiated) { await steps() }
        request.atEnd { task.cancel() }
    }

    /// Takes the steps after the look-up, until the gate is closed.
    ///
    /// If one fails, the best content so far is displayed.
    private func improve(_ presented: Presented, _ gate: Gate) async {
        var candidate: Presented?
        var failure: PushCryptError?
        do {
            candidate = try await improved(presented, gate)
        } catch {
            let reason =
                """
                The app's decision or customization threw \(type(of: error)). Catch the error \
                there.
                """
            failure = PushCryptError(.customizationFailed, reason)
        }
        let comparison = DisplayedComparison(
            notification: notification, inbox: inbox, host: host, record: record)
        var needsComparison = candidate.map { $0.isCopy || $0.isOutdated } ?? false
        for attempt in 0... {
            var better = candidate
            if needsComparison {
                better = await comparison.presented(instead: candidate ?? presented, attempt)
            }
            let offered = better
            let action = gate.step { $0.finished(with: offered) }
            if case .again = action {
                needsComparison = true
                continue
            }
            // If the gate was closed before, its cancellation has caused the error.
            if let failure, action != nil { host.log(PushEvent(failure)) }
            return
        }
    }

    private func improved(_ presented: Presented, _ gate: Gate) async throws -> Presented {
        guard let push = presented.outcome.push else { return presented }
        switch presented.outcome.kind {
        case .opened:
            guard try await host.shouldShow(push) else { return inbox.originals.dropped(push) }
            let attached = try await attach(presented, from: push, gate: gate)
            return try await customize(attached, of: push, original: presented.content, gate: gate)
        case .reduced:
            guard try await host.shouldShow(push) else { return inbox.originals.dropped(push) }
        case .withdrawal:
            await removeWithdrawn(push)
        default: break
        }
        return presented
    }

    /// Adds the message's attachments, and offers the content to the gate.
    ///
    /// The content stays as it is if that fails.
    private func attach(_ presented: Presented, from push: OpenedPush, gate: Gate) async throws
        -> Presented
    {
        let plain = presented.displaying(host.object(for: presented.content))
        try Task.checkCancellation()
        guard let object = plain.object else { return presented }
        // The app's customization needs time too.
        let timeout = 0.6 * (end - ProcessInfo.processInfo.systemUptime)
        do throws(PushCryptError) {
            guard let attached = try await host.attach(to: object, from: push, timeout: timeout)
            else { return plain }
            let better = plain.displaying(attached)
            gate.update(better)
            return better
        } catch {
            // The end of the request cancels a download.
            if !Task.isCancelled { host.log(PushEvent(error)) }
            return plain
        }
    }

    /// Lets the app change the content.
    private func customize(
        _ presented: Presented, of push: OpenedPush, original: NotificationContent, gate: Gate
    ) async throws -> Presented {
        try Task.checkCancellation()
        guard let object = presented.object else { return presented }
        let draft = NotificationDraft(
            push: push, original: original, content: object, identifier: notification.identifier,
            update: { gate.update(presented.displaying($0)) })
        return presented.displaying(try await host.customize(draft))
    }

    /// Removes the notifications that a withdrawal names, before its own content is presented.
    private func removeWithdrawn(_ push: OpenedPush) async {
        do throws(PushCryptError) {
            guard let store = inbox.store else {
                throw PushCryptError(
                    .invalidConfiguration,
                    "A withdrawal needs the shared directory. Set the configuration's directory."
                )
            }
            guard push.isAuthenticated else {
                throw PushCryptError(
                    .unsigned,
                    "A withdrawal without a signature doesn't act. Sign it on the server.")
            }
            guard let list = host.list else { return }
            try await NotificationRemoval(
                store: store, countsBadge: inbox.configuration.countsBadge
            ).run(on: list)
        } catch {
            host.log(PushEvent(error))
        }
    }

    // MARK: Report

    /// Reports the outcome to the app's own log, after the content was handed over.
    private func report(_ outcome: PushOutcome) {
        host.log(PushEvent(outcome))
        if let failure = outcome.push?.replayGuardFailure { host.log(PushEvent(failure)) }
    }
}
