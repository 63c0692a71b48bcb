import PushCryptTesting

/// A model of a handler's threads around `Delivery`, in which each step is what a thread does under one lock.
///
/// `Delivery` is the real one. The model contains the calls of `NotificationHandler` and their order.
struct DeliveryWorld: ExploredWorld {
    /// The content of a request, with its rank.
    struct Text: DeliverableContent, Hashable {
        enum Rank: Int, Hashable { case fallback, failed, opened, attached, kept, improved, dropped }

        let request: Int
        var rank: Rank
        var hasText = true

        var hasOpenedMessage: Bool { rank.rawValue >= Rank.opened.rawValue }
        var isDropped: Bool { rank == .dropped }
        var needsDeliveredList = false

        func failing(because reason: PushCryptError) -> Text {
            hasOpenedMessage ? self : Text(request: request, rank: .failed)
        }
    }

    /// A thread's next step.
    enum Thread: Hashable {
        /// The thread has ended, or hasn't begun.
        case idle
        /// Opening, before the check whether the result is still wanted.
        case looks
        /// Opening, before it reports its result; `late` if the result isn't wanted.
        case opened(late: Bool)
        /// The download of an attachment, before it ends; one that stalls ends only with its cancellation.
        case downloads(stalls: Bool)
        /// The customization, before it updates the content or ends.
        case improves(hasKept: Bool)
        /// A withdrawal, before the system has removed its notifications.
        case removes
        /// The deadline or the expiry, before it closes the gate.
        case waits
        /// The closing thread, before it calls the content handler.
        case calls(Text)
        /// The content handler, before it returns.
        case returns
        /// The closing thread, before it records that the handler has returned.
        case notes
    }

    /// The threads of a request.
    enum Role: Int, Hashable, CaseIterable { case opening, step, deadline, expiry }

    struct Request: Hashable {
        var delivery: Delivery<Text>
        var threads: [Thread] = [.looks, .idle, .waits, .idle]
        /// A Boolean value that indicates whether a download comes before the customization.
        var hasDownload: Bool
        /// A Boolean value that indicates whether the table of running requests contains the request.
        var isRunning = true
        /// The arguments of the content handler.
        var shown: [Text] = []
        /// The best content so far, by the model's own rule.
        var best: Text.Rank = .fallback
        /// A Boolean value that indicates whether the handler knows the request.
        var isRegistered = false
        /// A Boolean value that indicates whether the content handler's return is recorded.
        var isHandedOver = false
    }

    /// The thread of `expire()`.
    enum Expiry: Hashable {
        case notYet
        /// It closes the running requests, several of them on threads of their own.
        case closing([Int])
        /// It waits until all of them are handed over.
        case waiting([Int])
        case returned([Int])
    }

    enum Event {
        case register(Int)
        case thread(Int, Role, Choice)
        case expire
        case expiryWaits
        case expiryReturns
    }

    /// The possible results of a step.
    enum Choice { case only, opens, withdraws, fails, arrives, stalls, keeps, improves, drops, empties, throwsError }

    struct Wrong: Error { let what: String }

    var requests: [Request]
    var expiry: Expiry

    init(requests count: Int, hasDownload: Bool = false, hasCustomization: Bool, hasExpiry: Bool = true) {
        requests = (0..<count).map {
            Request(
                delivery: Delivery(
                    fallback: Text(request: $0, rank: .fallback), needsSteps: hasCustomization),
                hasDownload: hasDownload)
        }
        expiry = hasExpiry ? .notYet : .returned([])
    }

    // MARK: Events

    var steps: [Event] {
        var events: [Event] = []
        for (number, request) in requests.enumerated() {
            guard request.isRegistered else {
                events.append(.register(number))
                continue
            }
            for role in Role.allCases {
                for choice in request.choices(request.threads[role.rawValue]) {
                    events.append(.thread(number, role, choice))
                }
            }
        }
        switch expiry {
        case .notYet: events.append(.expire)
        case .closing(let list) where list.allSatisfy { requests[$0].threads[Role.expiry.rawValue] != .waits }:
            events.append(.expiryWaits)
        case .waiting(let list) where list.allSatisfy { requests[$0].isHandedOver }:
            events.append(.expiryReturns)
        case .closing, .waiting, .returned: break
        }
        return events
    }

    mutating func take(_ event: Event) throws {
        switch event {
        case .register(let number): requests[number].isRegistered = true
        case .thread(let number, let role, let choice): try run(number, role, choice)
        case .expire:
            let running = requests.indices.filter { requests[$0].isRegistered && requests[$0].isRunning }
            for number in running { requests[number].threads[Role.expiry.rawValue] = .waits }
            expiry = .closing(running)
        case .expiryWaits:
            guard case .closing(let list) = expiry else { return }
            expiry = .waiting(list)
        case .expiryReturns:
            guard case .waiting(let list) = expiry else { return }
            expiry = .returned(list)
        }
    }

    private mutating func run(_ number: Int, _ role: Role, _ choice: Choice) throws {
        var request = requests[number]
        defer { requests[number] = request }
        var next = Thread.idle
        var action: Delivery<Text>.Action?
        switch request.threads[role.rawValue] {
        case .idle: break
        case .looks: next = .opened(late: !request.delivery.isOpen)
        case .opened(let late):
            let rank: Text.Rank = late || choice == .fails ? .failed : choice == .opens ? .opened : .dropped
            request.noteBest(rank)
            let isWithdrawal = rank == .dropped
            action = request.delivery.opened(
                Text(request: number, rank: rank, hasText: !isWithdrawal, needsDeliveredList: isWithdrawal))
        case .removes:
            action = request.delivery.finished(with: Text(request: number, rank: .dropped, hasText: false))
        case .downloads where choice == .stalls: next = .downloads(stalls: true)
        case .downloads:
            if choice == .arrives {
                request.noteBest(.attached)
                _ = request.delivery.update(Text(request: number, rank: .attached))
            }
            next = .improves(hasKept: false)
        case .improves where choice == .keeps:
            request.noteBest(.kept)
            _ = request.delivery.update(Text(request: number, rank: .kept))
            next = .improves(hasKept: true)
        case .improves where choice == .improves:
            request.noteBest(.improved)
            action = request.delivery.finished(with: Text(request: number, rank: .improved))
        case .improves where choice == .drops:
            request.noteBest(.dropped)
            action = request.delivery.finished(with: Text(request: number, rank: .dropped, hasText: false))
        case .improves where choice == .empties:
            action = request.delivery.finished(with: Text(request: number, rank: .improved, hasText: false))
        case .improves: action = request.delivery.finished(with: nil)
        case .waits:
            request.noteBest(.failed)
            action = request.delivery.end(because: PushCryptError(.deadlinePassed, ""))
        case .calls(let text):
            request.shown.append(text)
            next = .returns
        case .returns:
            request.isRunning = false
            next = .notes
        case .notes: request.isHandedOver = true
        }
        switch action {
        case .improve(let text) where text.needsDeliveredList: request.threads[Role.step.rawValue] = .removes
        case .improve:
            request.threads[Role.step.rawValue] =
                request.hasDownload ? .downloads(stalls: false) : .improves(hasKept: false)
        case .handOver(let text): next = .calls(text)
        case nil: break
        }
        request.threads[role.rawValue] = next
    }

    // MARK: Guarantees

    func check() throws {
        for (number, request) in requests.enumerated() {
            guard request.shown.count <= 1 else { throw Wrong(what: "the handler was called twice") }
            guard let shown = request.shown.first else { continue }
            guard shown.request == number else { throw Wrong(what: "another request's text") }
            guard shown.hasText || shown.isDropped else { throw Wrong(what: "no text") }
            guard shown.rank == request.best else {
                throw Wrong(what: "\(shown.rank) was shown, and the best so far was \(request.best)")
            }
        }
        if case .returned(let list) = expiry {
            for number in list where requests[number].shown.count != 1 {
                throw Wrong(what: "expire() has returned before the handler was called")
            }
        }
    }

    func checkEnd() throws {
        guard case .returned = expiry else { throw Wrong(what: "expire() never returns") }
        for request in requests {
            guard request.shown.count == 1 else { throw Wrong(what: "the handler was never called") }
            guard request.isHandedOver, !request.delivery.isOpen, !request.isRunning else {
                throw Wrong(what: "the request never ends")
            }
            guard request.threads.allSatisfy({ $0 == .idle }) else { throw Wrong(what: "a thread never ends") }
        }
    }
}

extension DeliveryWorld.Request {
    /// The possible results of a thread's next step.
    fileprivate func choices(_ thread: DeliveryWorld.Thread) -> [DeliveryWorld.Choice] {
        switch thread {
        case .idle: []
        case .opened(late: false): [.opens, .withdraws, .fails]
        case .downloads(stalls: false): [.arrives, .fails, .stalls]
        // The end of the request cancels the task of the customization.
        case .downloads(stalls: true): isRunning ? [] : [.fails]
        case .improves(hasKept: false): [.keeps, .improves, .drops, .empties, .throwsError]
        case .improves(hasKept: true): [.improves, .drops, .empties, .throwsError]
        case .looks, .opened(late: true), .removes, .waits, .calls, .returns, .notes: [.only]
        }
    }

    /// Updates the best content: a better one counts until the gate is closed.
    mutating func noteBest(_ rank: DeliveryWorld.Text.Rank) {
        guard delivery.isOpen else { return }
        if rank.rawValue > best.rawValue { best = rank }
    }
}
