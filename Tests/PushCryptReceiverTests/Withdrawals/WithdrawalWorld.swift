import PushCryptTesting

@testable import PushCryptReceiver

/// A model of an extension that handles notifications and withdrawals at once, and of a system that
/// is slower.
///
/// Each step is what a process does under one lock, or what the system does.
///
/// `Delivery` and `Ledger` are the real ones. The model contains the calls of
/// `NotificationRequest`, `Decision` and `NotificationRemoval`, and their order.
struct WithdrawalWorld: ExploredWorld {
    /// What a request hands over.
    struct Content: DeliverableContent, Hashable {
        var request: Int
        var hasOpenedMessage = false
        var isDropped = false
        var needsDeliveredList = false
        /// The request of the displayed text that is handed over again.
        var kept: Int?

        var hasText: Bool { !isDropped }

        func failing(because reason: PushCryptError) -> Content { self }
    }

    struct Message: Hashable {
        let account: UInt8
        let identifier: UInt8
        let issuedAt: UInt64
        /// The target of a withdrawal.
        var target: UInt8?
        /// A Boolean value that indicates whether the app decides to display nothing.
        var isDropped = false
    }

    /// The next step of a request's thread.
    enum Thread: Hashable {
        /// Opening and the look-up in the store.
        case opens
        /// The end of opening.
        case opened(Content)
        /// The app's decision or the removal.
        case improves(Content)
        /// The removal, before the system has answered with the notifications that it lists.
        case asks(Content)
        /// The removal, after the answer.
        case answered(Content, listed: Set<UInt8>, coming: Set<UInt8>)
        /// The comparison with the system's list, because a newer message has come between.
        case compares(Content)
        /// The decision, before its access to the store.
        case decides(Content, isLast: Bool)
        /// The decision, after its access to the store; `nil` reads the list again.
        case decided(Content?)
        case calls(Content)
        case ended
    }

    struct Request: Hashable {
        let message: Message
        var delivery: Delivery<Content>
        var thread = Thread.opens
        /// The number of attempts to remove or to compare.
        var attempts = 0
        /// The time of the last reading of the list.
        var listing: Ledger.Listing?
        var handedOver: [Content] = []
        /// A Boolean value that indicates whether the process was killed, so that the system
        /// displays the placeholder.
        var isKilled = false
    }

    enum Event {
        case run(Int)
        case fails(Int)
        case deadline(Int)
        case kill(Int)
        case appears
        case takesCall
        case sweeps
    }

    struct Wrong: Error { let what: String }

    /// A displayed notification: the request, and whether its text was opened.
    struct Displayed: Hashable {
        let request: Int
        let hasOpenedMessage: Bool
    }

    enum Call: Hashable {
        case display(Displayed)
        case remove(Set<UInt8>)
    }

    var requests: [Request]
    var ledger = Ledger()
    /// The time, which passes only while a request waits for the system's list.
    var clock: UInt64 = 10
    /// The calls that the system hasn't taken yet, in order.
    var calls: [Call] = []
    /// What the system has taken and doesn't display yet, in order.
    var coming: [Displayed] = []
    var displayed: [UInt8: Displayed] = [:]
    /// The last notification with each identifier that was handed over.
    var latest: [UInt8: Displayed] = [:]
    var sweeps = 0
    /// The greatest number of kills.
    var kills: Int
    /// The greatest number of failures and deadlines.
    var troubles: Int
    /// A Boolean value that indicates whether other threads run between the decision about a
    /// notification and its hand-over.
    ///
    /// With a later message under the same identifier, the older one could then replace it.
    let splitsHandOver: Bool

    init(_ messages: [Message], kills: Int, troubles: Int, splitsHandOver: Bool = true) {
        self.splitsHandOver = splitsHandOver
        requests = messages.enumerated().map { number, message in
            Request(
                message: message,
                delivery: Delivery(fallback: Content(request: number), needsSteps: true))
        }
        (self.kills, self.troubles) = (kills, troubles)
    }

    // MARK: Events

    var steps: [Event] {
        var events: [Event] = []
        for (number, request) in requests.enumerated() where request.thread != .ended {
            events.append(.run(number))
            if request.thread == .opens, troubles > 0 { events.append(.fails(number)) }
            if request.canEnd, troubles > 0 { events.append(.deadline(number)) }
            if kills > 0 { events.append(.kill(number)) }
        }
        if !coming.isEmpty { events.append(.appears) }
        if !calls.isEmpty { events.append(.takesCall) }
        // At the end, a later run of the extension or of the app.
        if events.isEmpty, sweeps < 2 { events.append(.sweeps) }
        return events
    }

    mutating func take(_ event: Event) throws {
        switch event {
        case .run(let number): run(number)
        case .fails(let number):
            troubles -= 1
            let action = requests[number].delivery.opened(Content(request: number))
            follow(action, number)
        case .deadline(let number):
            troubles -= 1
            let action = requests[number].delivery.end(because: PushCryptError(.deadlinePassed, ""))
            // The deadline's thread hands over; the step of the app or the removal is canceled.
            follow(action, number)
        case .kill(let number):
            kills -= 1
            let wasHandedOver = !requests[number].handedOver.isEmpty
            requests[number].thread = .ended
            requests[number].isKilled = !wasHandedOver
            if !wasHandedOver { display(Displayed(request: number, hasOpenedMessage: false)) }
        case .appears: appear()
        case .takesCall: takeCall()
        case .sweeps:
            sweeps += 1
            beginRemoval()
        }
    }

    private mutating func run(_ number: Int) {
        let message = requests[number].message
        switch requests[number].thread {
        case .ended: break
        case .opens: lookUp(number)
        case .opened(let content): follow(requests[number].delivery.opened(content), number)
        case .improves(let content) where message.target != nil:
            beginRemoval()
            requests[number].attempts += 1
            requests[number].thread = .asks(content)
        case .improves(var content):
            if message.isDropped { content.isDropped = true }
            follow(requests[number].delivery.finished(with: content), number)
        case .asks(let content):
            // The system answers after earlier calls.
            while !calls.isEmpty { takeCall() }
            // The model has no time: what was decided just now is what is still to come.
            let decided = requests.filter { $0.isDecided }
            requests[number].thread = .answered(
                content, listed: Set(displayed.keys),
                coming: Set(
                    (coming.map { requests[$0.request] } + decided).map(\.message.identifier)))
        case .answered(let content, let listed, let coming):
            let withdrawn = Set(ledger.withdrawn(now: clock))
            ledger.settle(now: clock) {
                withdrawn.contains($0) && !listed.union(coming).contains($0.identifier[0])
            }
            if ledger.withdrawn(now: clock).isEmpty || requests[number].attempts == 2 {
                follow(requests[number].delivery.finished(with: content), number)
            } else {
                requests[number].thread = .improves(content)
            }
        case .compares(let content): compare(content, number)
        case .decides(let content, let isLast):
            requests[number].thread = .decided(decision(content, number, isLast: isLast))
            if !splitsHandOver { run(number) }
        case .decided(let content):
            let isAgain = content == nil
            follow(requests[number].delivery.decided(content), number)
            if !splitsHandOver, !isAgain { run(number) }
        case .calls(let content):
            requests[number].handedOver.append(content)
            requests[number].thread = .ended
            if !content.isDropped {
                display(
                    Displayed(
                        request: content.kept ?? number, hasOpenedMessage: content.hasOpenedMessage)
                )
            }
        }
    }

    private func entry(_ number: Int) -> Ledger.Entry {
        let message = requests[number].message
        var entry = Ledger.Entry(
            account: [message.account], target: [message.identifier], issuedAt: message.issuedAt,
            end: 1_000_000)
        entry.identifier = [message.identifier]
        entry.thread = [99]
        entry.message = [100 + UInt8(number)]
        return entry
    }

    /// Records the message or the withdrawal, unless the request has ended.
    private mutating func lookUp(_ number: Int) {
        let message = requests[number].message
        guard requests[number].delivery.isOpen else {
            requests[number].thread = .ended
            return
        }
        var content = Content(request: number, hasOpenedMessage: true)
        if let target = message.target {
            ledger.withdraw(
                Ledger.Entry(
                    account: [message.account], target: [target], issuedAt: message.issuedAt,
                    end: 1_000_000),
                now: clock)
            (content.isDropped, content.needsDeliveredList) = (true, true)
        } else {
            content.isDropped = ledger.lookUp(entry(number), now: clock) == .withdrawn
        }
        requests[number].thread = .opened(content)
    }

    /// Reads the system's list, in which another text may have the identifier.
    private mutating func compare(_ content: Content, _ number: Int) {
        requests[number].attempts += 1
        if requests[number].attempts > 1 {
            // So late that the list has all that was handed over.
            while !calls.isEmpty { takeCall() }
            while !coming.isEmpty { appear() }
            clock += 10_000
        }
        requests[number].listing = Ledger.Listing(time: clock)
        var compared = content
        if let own = displayed[requests[number].message.identifier], own.hasOpenedMessage,
            own.request != number
        {
            compared.kept = own.request
        }
        follow(requests[number].delivery.finished(with: compared), number)
    }

    /// Returns the decision about content, which the store records.
    private mutating func decision(_ content: Content, _ number: Int, isLast: Bool) -> Content? {
        var content = content
        let message = requests[number].message
        let listing = requests[number].listing
        var isOutdated = false
        if !content.hasOpenedMessage {
            ledger.leave(entry(number).name, now: clock)
        } else if let kept = content.kept {
            isOutdated = !ledger.keep(
                entry(kept), after: listing ?? Ledger.Listing(time: clock), now: clock)
        } else if content.isDropped {
            guard message.isDropped else { return content }
            var dropped = Ledger.Entry(
                account: [message.account], target: entry(number).message,
                issuedAt: message.issuedAt, end: 1_000_000)
            dropped.state = .dropped
            ledger.withdraw(dropped, now: clock)
        } else {
            switch ledger.show(entry(number), after: listing, now: clock) {
            case .shown: break
            case .withdrawn, .possiblyWithdrawn: content.isDropped = true
            case .outdated: isOutdated = true
            }
        }
        guard isOutdated else { return content }
        content.isDropped = true
        content.kept = nil
        return isLast ? content : nil
    }

    private mutating func follow(_ action: Delivery<Content>.Action?, _ number: Int) {
        switch action {
        case .improve(let content): requests[number].thread = .improves(content)
        case .decide(let content, let isLast):
            requests[number].thread = .decides(content, isLast: isLast)
        case .again:
            requests[number].thread = .compares(Content(request: number, hasOpenedMessage: true))
        case .handOver(let content): requests[number].thread = .calls(content)
        case nil: break
        }
    }

    private mutating func display(_ notification: Displayed) {
        latest[requests[notification.request].message.identifier] = notification
        calls.append(.display(notification))
    }

    private mutating func beginRemoval() {
        let withdrawn = Set(ledger.withdrawn(now: clock).map { $0.identifier[0] })
        if !withdrawn.isEmpty { calls.append(.remove(withdrawn)) }
    }

    private mutating func appear() {
        let next = coming.removeFirst()
        displayed[requests[next.request].message.identifier] = next
    }

    private mutating func takeCall() {
        switch calls.removeFirst() {
        case .display(let next): coming.append(next)
        case .remove(let identifiers): for identifier in identifiers { displayed[identifier] = nil }
        }
    }

    // MARK: Guarantees

    func check() throws {
        for request in requests {
            guard request.handedOver.count <= 1 else {
                throw Wrong(what: "the handler was called twice")
            }
            guard let content = request.handedOver.first else { continue }
            guard content.hasOpenedMessage || !content.isDropped else {
                throw Wrong(what: "a fallback was dropped")
            }
            let isDue =
                request.message.target != nil || request.message.isDropped
                || isWithdrawn(request.message)
                || requests.contains { $0.message.replaces(request.message) }
            guard !content.isDropped || isDue else { throw Wrong(what: "a message was dropped") }
        }
    }

    func checkEnd() throws {
        for (number, request) in requests.enumerated() {
            guard request.isKilled || request.handedOver.count == 1 else {
                throw Wrong(what: "no hand-over")
            }
            let shown = displayed[request.message.identifier]
            if shown == Displayed(request: number, hasOpenedMessage: true) {
                // A withdrawal that failed, was killed or ran out of time before it was recorded
                // can't act.
                guard !isRecorded(number) else {
                    throw Wrong(what: "a withdrawn message is displayed")
                }
                guard request.message.target == nil else {
                    throw Wrong(what: "a withdrawal is displayed")
                }
            }
        }
        for (identifier, shown) in displayed where shown.hasOpenedMessage && !splitsHandOver {
            let message = requests[shown.request].message
            let isReplaced = requests.contains { other in
                other.message.replaces(message) && !isWithdrawn(other.message)
                    && other.handedOver.contains {
                        $0.hasOpenedMessage && !$0.isDropped && $0.kept == nil
                    }
            }
            guard !isReplaced else {
                throw Wrong(what: "an older text has replaced a newer one at \(identifier)")
            }
        }
        for (identifier, last) in latest {
            let isWithdrawn = last.hasOpenedMessage && isWithdrawn(requests[last.request].message)
            guard !isWithdrawn, !requests[last.request].isKilled, displayed[identifier] != last
            else { continue }
            throw Wrong(what: "a message that wasn't withdrawn is missing")
        }
    }

    /// Returns whether a withdrawal names a message.
    private func isWithdrawn(_ message: Message) -> Bool {
        requests.contains {
            $0.message.target == message.identifier && $0.message.account == message.account
                && message.issuedAt <= $0.message.issuedAt
        }
    }

    /// Returns whether a recorded withdrawal names a request's message.
    private func isRecorded(_ number: Int) -> Bool { ledger.acts(on: entry(number), now: clock) }
}

extension WithdrawalWorld.Request {
    /// A Boolean value that indicates whether the deadline changes something.
    fileprivate var canEnd: Bool {
        if case .decides(_, isLast: false) = thread { true } else { delivery.isOpen }
    }

    /// A Boolean value that indicates whether the store has recorded the text, which isn't handed
    /// over yet.
    fileprivate var isDecided: Bool {
        switch thread {
        case .calls(let content), .decided(let content?): !content.isDropped
        default: false
        }
    }
}

extension WithdrawalWorld.Message {
    /// Returns whether this message replaces another one with an older text.
    fileprivate func replaces(_ other: Self) -> Bool {
        target == nil && account == other.account && identifier == other.identifier
            && issuedAt > other.issuedAt
    }
}
