import PushCryptTesting

@testable import PushCryptReceiver

/// A model of an inbox's threads around `Delivery`, in which each step is what a thread does under
/// one lock.
///
/// `Delivery` and `Ledger` are the real ones. The model contains the calls of `NotificationRequest`
/// and their order. Two pushes may have one place on the screen: the first one's message is the
/// older.
struct DeliveryWorld: ExploredWorld {
    /// The content of a request, with its rank.
    struct Text: DeliverableContent, Hashable {
        enum Rank: Int, Hashable {
            case fallback, failed, opened, attached, kept, improved, dropped
            /// The content of the other push's newer notification, which stays in its place.
            case newer
            /// The quietest text, instead of an outdated one.
            case quiet
        }

        let request: Int
        var rank: Rank
        var hasText = true

        var hasOpenedMessage: Bool { rank.rawValue >= Rank.opened.rawValue }
        var isDropped: Bool { rank == .dropped || rank == .quiet }
        var isOwn: Bool { hasOpenedMessage && rank.rawValue < Rank.dropped.rawValue }
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
        /// The download of an attachment, before it ends; one that stalls ends only with its
        /// cancellation.
        case downloads(stalls: Bool)
        /// The customization, before it updates the content or ends.
        case improves(hasKept: Bool)
        /// A withdrawal, before the system has removed its notifications.
        case removes
        /// The step after the others, before it reads the system's list.
        case compares
        /// The steps, before they report their result.
        case finishes(Text?)
        /// A thread that decides, before its access to the store.
        case decides(Text, isLast: Bool)
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
        /// A Boolean value that indicates whether the app customizes the content.
        var hasCustomization: Bool
        /// A Boolean value that indicates whether the table of running requests contains the
        /// request.
        var isRunning = true
        /// The arguments of the content handler.
        var shown: [Text] = []
        /// The best content so far, by the model's own rule.
        var best: Text.Rank = .fallback
        /// A Boolean value that indicates whether the handler knows the request.
        var isRegistered = false
        /// A Boolean value that indicates whether the content handler's return is recorded.
        var isHandedOver = false
        /// The number of decisions that can still be put off, by the model's own choice.
        var putOffs: Int
        /// The result of the steps; `nil` if they failed.
        var candidate: Text?
        /// The number of times that the steps have reported their result.
        var attempt = 0
        /// A Boolean value that indicates whether the look-up has found a newer message in the
        /// place.
        var isOutdated = false
        /// The last reading of the system's list without the newer notification, and the last one
        /// with it.
        var listing: Ledger.Listing?
        var newerListing: Ledger.Listing?
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
    enum Choice {
        case only, opens, withdraws, fails, arrives, stalls, keeps, improves, drops, empties,
            throwsError
        /// The decision is put off.
        case putsOff
        /// The system's list has the newer notification, or not yet; or the user has removed it.
        case reads, misses, removed
    }

    struct Wrong: Error { let what: String }

    var requests: [Request]
    var expiry: Expiry

    /// The messages of one place; `nil` if each request has its own.
    var ledger: Ledger?
    /// The text that the system displays in the place.
    var screen: Text?
    /// The requests in the order in which their own texts were decided.
    var decided: [Int] = []
    /// A Boolean value that indicates whether the user has removed the newer notification.
    var isRemoved = false

    private static let now: UInt64 = 1000
    /// The number of attempts after which the newer notification is handed over and displayed.
    fileprivate static let attempts = 2

    init(
        requests count: Int, hasDownload: Bool = false, hasCustomization: Bool,
        hasExpiry: Bool = true,
        putOffs: Int = 0, sharesPlace: Bool = false
    ) {
        requests = (0..<count).map {
            Request(
                delivery: Delivery(
                    fallback: Text(request: $0, rank: .fallback), needsSteps: hasCustomization),
                hasDownload: hasDownload, hasCustomization: hasCustomization, putOffs: putOffs)
        }
        ledger = sharesPlace ? Ledger() : nil
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
                for choice in choices(number, request.threads[role.rawValue]) {
                    events.append(.thread(number, role, choice))
                }
            }
        }
        switch expiry {
        case .notYet: events.append(.expire)
        case .closing(let list)
        where list.allSatisfy { requests[$0].threads[Role.expiry.rawValue] != .waits }:
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
            let running = requests.indices.filter {
                requests[$0].isRegistered && requests[$0].isRunning
            }
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
        case .looks:
            next = .opened(late: !request.delivery.isOpen)
            if request.delivery.isOpen, ledger != nil {
                _ = ledger?.lookUp(Self.entry(number), now: Self.now)
                request.isOutdated = ledger?.isOutdated(Self.entry(number), now: Self.now) ?? false
            }
        case .opened(let late):
            let rank: Text.Rank =
                late || choice == .fails ? .failed : choice == .opens ? .opened : .dropped
            request.noteBest(rank)
            let isWithdrawal = rank == .dropped
            let needsList = isWithdrawal || rank == .opened && request.isOutdated
            let text = Text(
                request: number, rank: rank, hasText: !isWithdrawal, needsDeliveredList: needsList)
            request.candidate = text
            action = request.delivery.opened(text)
        case .removes:
            action = request.delivery.finished(
                with: Text(request: number, rank: .dropped, hasText: false))
        case .compares: next = .finishes(compared(number, &request, choice))
        case .finishes(let text): action = request.finish(text)
        case .decides(let text, let isLast):
            action = request.delivery.decided(decision(number, &request, text, isLast, choice))
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
            (next, action) = request.end(Text(request: number, rank: .improved))
        case .improves where choice == .drops:
            action = request.finish(Text(request: number, rank: .dropped, hasText: false))
        case .improves where choice == .empties:
            (next, action) = request.end(Text(request: number, rank: .improved, hasText: false))
        case .improves: (next, action) = request.end(nil)
        case .waits:
            request.noteBest(.failed)
            action = request.delivery.end(because: PushCryptError(.deadlinePassed, ""))
        case .calls(let text):
            request.shown.append(text)
            if text.hasText { screen = text }
            next = .returns
        case .returns:
            request.isRunning = false
            next = .notes
        case .notes: request.isHandedOver = true
        }
        switch action {
        case .improve(let text) where text.isDropped: request.threads[Role.step.rawValue] = .removes
        case .improve where request.hasDownload:
            request.threads[Role.step.rawValue] = .downloads(stalls: false)
        case .improve where request.hasCustomization:
            request.threads[Role.step.rawValue] = .improves(hasKept: false)
        case .improve: request.threads[Role.step.rawValue] = .compares
        case .decide(let text, let isLast): next = .decides(text, isLast: isLast)
        case .again where role == .opening:
            request.threads[Role.step.rawValue] = .finishes(request.candidate)
        case .again:
            request.attempt += 1
            next = .compares
        case .handOver(let text): next = .calls(text)
        case nil: break
        }
        request.threads[role.rawValue] = next
    }

    // MARK: The place

    /// Returns the message of a request in the ledger of the place.
    private static func entry(_ number: Int) -> Ledger.Entry {
        var entry = Ledger.Entry(account: [1], target: [2], issuedAt: UInt64(1 + number), end: 9000)
        entry.identifier = [2]
        entry.message = [UInt8(1 + number)]
        return entry
    }

    /// A Boolean value that indicates whether the screen has the newer message's text.
    fileprivate var showsNewer: Bool {
        screen.map { $0.request == 1 && $0.isOwn || $0.rank == .newer } ?? false
    }

    /// Reads the system's list, and returns what is handed over instead of the candidate.
    private mutating func compared(_ number: Int, _ request: inout Request, _ choice: Choice)
        -> Text?
    {
        guard request.delivery.isOpen else { return nil }
        if choice == .removed {
            screen = nil
            isRemoved = true
        }
        let listing = Ledger.Listing(time: request.attempt < Self.attempts ? Self.now : .max)
        if choice == .reads, number == 0 {
            request.newerListing = listing
            return Text(request: number, rank: .newer)
        }
        request.listing = listing
        return request.candidate
    }

    /// Returns the decision about a text; `nil` puts it off.
    private mutating func decision(
        _ number: Int, _ request: inout Request, _ text: Text, _ isLast: Bool, _ choice: Choice
    ) -> Text? {
        if choice == .putsOff {
            request.putOffs -= 1
            return nil
        }
        guard ledger != nil else { return text }
        let isInTime: Bool
        switch text.rank {
        case .newer:
            isInTime =
                ledger?.keep(
                    Self.entry(1), after: request.newerListing ?? .init(time: 0), now: Self.now)
                == true
        case .dropped, .quiet: return text
        case .fallback, .failed:
            ledger?.leave("\u{2}", now: Self.now)
            return text
        default:
            isInTime =
                ledger?.show(Self.entry(number), after: request.listing, now: Self.now)
                == .shown(doubles: [])
            if isInTime { decided.append(number) }
        }
        if isInTime { return text }
        guard isLast else { return nil }
        return Text(request: number, rank: .quiet, hasText: true)
    }

    // MARK: Guarantees

    func check() throws {
        for (number, request) in requests.enumerated() {
            guard request.shown.count <= 1 else {
                throw Wrong(what: "the handler was called twice")
            }
            guard let shown = request.shown.first else { continue }
            guard shown.request == number else { throw Wrong(what: "another request's text") }
            guard shown.hasText || shown.isDropped else { throw Wrong(what: "no text") }
            guard shown.rank == request.best || shown.rank == .quiet && number == 0 else {
                throw Wrong(
                    what: "\(shown.rank) was shown, and the best so far was \(request.best)")
            }
        }
        if decided == [1, 0], !isRemoved {
            throw Wrong(what: "an older text has replaced a newer one")
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
            guard request.shown.count == 1 else {
                throw Wrong(what: "the handler was never called")
            }
            guard request.isHandedOver, !request.delivery.isOpen, !request.isRunning else {
                throw Wrong(what: "the request never ends")
            }
            guard request.threads.allSatisfy({ $0 == .idle }) else {
                throw Wrong(what: "a thread never ends")
            }
        }
    }
}

extension DeliveryWorld {
    /// The possible results of a thread's next step.
    private func choices(_ number: Int, _ thread: Thread) -> [Choice] {
        let request = requests[number]
        switch thread {
        case .idle: return []
        case .opened(late: false):
            return ledger == nil ? [.opens, .withdraws, .fails] : [.opens, .fails]
        case .downloads(stalls: false): return [.arrives, .fails, .stalls]
        // The end of the request cancels the task of the customization.
        case .downloads(stalls: true): return request.isRunning ? [] : [.fails]
        case .improves(let hasKept):
            let ends: [Choice] = [.improves, .drops, .empties, .throwsError]
            return hasKept ? ends : [.keeps] + ends
        case .compares: return readings(request)
        case .decides(let text, let isLast):
            return !isLast && text.isOwn && request.putOffs > 0 ? [.only, .putsOff] : [.only]
        case .looks, .opened(late: true), .removes, .finishes, .waits, .calls, .returns, .notes:
            return [.only]
        }
    }

    /// The possible readings of the system's list.
    private func readings(_ request: Request) -> [Choice] {
        guard request.delivery.isOpen, ledger != nil else { return [.misses] }
        // The system displays a notification some time after its hand-over.
        guard request.attempt >= Self.attempts else {
            return showsNewer ? [.reads, .misses] : [.misses]
        }
        if showsNewer { return [.reads, .removed] }
        return decided.contains(1) && requests[1].shown.isEmpty ? [] : [.misses]
    }
}

extension DeliveryWorld.Request {
    /// Updates the best content: a better one counts until the gate is closed, and the newest after
    /// the comparison.
    mutating func noteBest(_ rank: DeliveryWorld.Text.Rank, isNewest: Bool = false) {
        guard delivery.isOpen else { return }
        if isNewest || rank.rawValue > best.rawValue { best = rank }
    }

    /// Records the result of the app's steps, which is compared with the list first if it's
    /// outdated.
    mutating func end(_ text: DeliveryWorld.Text?) -> (
        DeliveryWorld.Thread, Delivery<DeliveryWorld.Text>.Action?
    ) {
        if let text { candidate = text }
        return isOutdated ? (.compares, nil) : (.idle, finish(text))
    }

    /// Reports the result of the steps.
    mutating func finish(_ text: DeliveryWorld.Text?) -> Delivery<DeliveryWorld.Text>.Action? {
        if let text, text.hasText || text.isDropped { noteBest(text.rank, isNewest: true) }
        return delivery.finished(with: text)
    }
}
