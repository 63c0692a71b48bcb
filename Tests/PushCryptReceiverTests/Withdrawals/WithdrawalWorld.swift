import PushCryptTesting

/// A model of an extension that handles notifications and withdrawals at once, and of a system that is slower.
///
/// Each step is what a process does under one lock, or what the system does.
///
/// `Delivery` and `WithdrawalLedger` are the real ones. The model contains the calls of `NotificationHandler` and
/// `SharedNotifications`, and their order.
struct WithdrawalWorld: ExploredWorld {
    /// What a request hands over.
    struct Content: DeliverableContent, Hashable {
        var request: Int
        var hasOpenedMessage = false
        var isDropped = false
        var needsDeliveredList = false

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
        case opens
        /// The app's decision or the removal.
        case decides
        /// The removal, before the system has answered with the notifications that it lists.
        case asks
        /// The removal, after the answer.
        case answered(listed: Set<UInt8>, coming: Set<UInt8>)
        /// The hand-over, before the notification is admitted.
        case admits(Content)
        case calls(Content)
        case ended
    }

    struct Request: Hashable {
        let message: Message
        var delivery: Delivery<Content>
        var thread = Thread.opens
        /// The number of attempts to remove.
        var attempts = 0
        var handedOver: [Content] = []
        /// A Boolean value that indicates whether the process was killed, so that the system displays the placeholder.
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
    var ledger = WithdrawalLedger()
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
    /// A Boolean value that indicates whether other threads run between the admission of a notification and its hand-over.
    ///
    /// With a later message under the same identifier, the older one could then replace it.
    let splitsHandOver: Bool

    init(_ messages: [Message], kills: Int, troubles: Int, splitsHandOver: Bool = true) {
        self.splitsHandOver = splitsHandOver
        requests = messages.enumerated().map { number, message in
            Request(
                message: message, delivery: Delivery(fallback: Content(request: number), needsSteps: true))
        }
        (self.kills, self.troubles) = (kills, troubles)
    }

    // MARK: Events

    var steps: [Event] {
        var events: [Event] = []
        for (number, request) in requests.enumerated() where request.thread != .ended {
            events.append(.run(number))
            if request.thread == .opens, troubles > 0 { events.append(.fails(number)) }
            if request.delivery.isOpen, troubles > 0 { events.append(.deadline(number)) }
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
        case .appears:
            let next = coming.removeFirst()
            displayed[requests[next.request].message.identifier] = next
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
        case .opens:
            let content = Content(
                request: number, hasOpenedMessage: true, isDropped: message.target != nil,
                needsDeliveredList: message.target != nil)
            let action = requests[number].delivery.opened(content)
            follow(action, number)
        case .decides where message.target != nil:
            if let target = message.target, requests[number].attempts == 0 {
                ledger.withdraw(
                    .init(account: [message.account], target: [target], issuedAt: message.issuedAt, time: 100), now: 10)
            }
            beginRemoval()
            requests[number].attempts += 1
            requests[number].thread = .asks
        case .decides:
            let content = Content(request: number, hasOpenedMessage: true, isDropped: message.isDropped)
            let action = requests[number].delivery.finished(with: content)
            follow(action, number)
        case .asks:
            // The system answers after earlier calls.
            while !calls.isEmpty { takeCall() }
            // The model has no time: what was admitted just now is what is still to come.
            let admitted = requests.filter {
                if case .calls(let content) = $0.thread { !content.isDropped } else { false }
            }
            requests[number].thread = .answered(
                listed: Set(displayed.keys),
                coming: Set((coming.map { requests[$0.request] } + admitted).map(\.message.identifier)))
        case .answered(let listed, let coming):
            let withdrawn = Set(ledger.withdrawn(now: 10))
            ledger.forget {
                withdrawn.contains($0) && !listed.union(coming).contains($0.identifier[0])
            }
            if ledger.withdrawn(now: 10).isEmpty || requests[number].attempts == 2 {
                follow(requests[number].delivery.finished(with: nil), number)
            } else {
                requests[number].thread = .decides
            }
        case .admits(let content):
            var content = content
            if content.hasOpenedMessage, !content.isDropped {
                let entry = WithdrawalLedger.Entry(
                    account: [message.account], identifier: [message.identifier], target: [message.identifier],
                    thread: [9], issuedAt: message.issuedAt, time: 10)
                content.isDropped = !ledger.shows(entry, now: 10)
            } else if !content.isDropped {
                ledger.forget { $0.identifier == [message.identifier] }
            }
            requests[number].thread = .calls(content)
            if !splitsHandOver { run(number) }
        case .calls(let content):
            requests[number].handedOver.append(content)
            requests[number].thread = .ended
            if !content.isDropped { display(Displayed(request: number, hasOpenedMessage: content.hasOpenedMessage)) }
        }
    }

    private mutating func follow(_ action: Delivery<Content>.Action?, _ number: Int) {
        switch action {
        case .improve: requests[number].thread = .decides
        case .handOver(let content): requests[number].thread = .admits(content)
        case nil: break
        }
    }

    private mutating func display(_ notification: Displayed) {
        latest[requests[notification.request].message.identifier] = notification
        calls.append(.display(notification))
    }

    private mutating func beginRemoval() {
        let withdrawn = Set(ledger.withdrawn(now: 10).map { $0.identifier[0] })
        if !withdrawn.isEmpty { calls.append(.remove(withdrawn)) }
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
            guard request.handedOver.count <= 1 else { throw Wrong(what: "the handler was called twice") }
            guard let content = request.handedOver.first else { continue }
            guard content.hasOpenedMessage || !content.isDropped else { throw Wrong(what: "a fallback was dropped") }
            let isDue = request.message.target != nil || request.message.isDropped || isWithdrawn(request.message)
            guard !content.isDropped || isDue else { throw Wrong(what: "a message was dropped") }
        }
    }

    func checkEnd() throws {
        for (number, request) in requests.enumerated() {
            guard request.isKilled || request.handedOver.count == 1 else { throw Wrong(what: "no hand-over") }
            let shown = displayed[request.message.identifier]
            if shown == Displayed(request: number, hasOpenedMessage: true) {
                // A withdrawal that failed, was killed or ran out of time before it was recorded can't act.
                guard !isRecorded(request.message) else { throw Wrong(what: "a withdrawn message is displayed") }
                guard request.message.target == nil else { throw Wrong(what: "a withdrawal is displayed") }
            }
        }
        for (identifier, last) in latest {
            let isWithdrawn = last.hasOpenedMessage && isWithdrawn(requests[last.request].message)
            guard !isWithdrawn, !requests[last.request].isKilled, displayed[identifier] != last else { continue }
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

    /// Returns whether a recorded withdrawal names a message.
    private func isRecorded(_ message: Message) -> Bool {
        let entry = WithdrawalLedger.Entry(
            account: [message.account], identifier: [message.identifier], target: [message.identifier],
            thread: [9], issuedAt: message.issuedAt, time: 10)
        var ledger = ledger
        return !ledger.shows(entry, now: 10)
    }
}
