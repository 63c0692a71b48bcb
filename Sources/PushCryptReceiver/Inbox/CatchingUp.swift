internal import PushCryptCore
internal import PushCryptSystem

/// Opens displayed notifications again, after the extension couldn't open them.
struct CatchingUp: Sendable {
    let inbox: PushInbox

    /// The system's list, from which withdrawn notifications are removed.
    let list: any DeliveredList

    /// All displayed notifications.
    let displayed: [DeliveredNotification]

    /// The messages that were opened again.
    private var reopened: Set<MessageID> = []

    init(inbox: PushInbox, list: any DeliveredList, displayed: [DeliveredNotification]) {
        self.inbox = inbox
        self.list = list
        self.displayed = displayed
    }

    /// Returns what is displayed instead; `nil` leaves the notification as it is.
    mutating func reopen(_ notification: DeliveredNotification, with host: any NotificationHost)
        async -> Presented?
    {
        guard isCandidate(notification) else { return nil }
        let record = RequestRecord()
        // The notification is displayed, so nothing else is at its identifier.
        let now = inbox.configuration.time.now.millisecondsSince1970
        record.state.withLock { $0.listing = Ledger.Listing(time: now, isLast: true) }
        guard let opened = await inbox.reopened(notification, record),
            let push = opened.outcome.push,
            push.replayGuardFailure == nil
        else { return nil }
        // A reduced notification stays sealed, and displays its words already.
        let isReduced = opened.outcome.kind == .reduced || opened.earlier == .reduced
        if isReduced, opened.content.hasTexts(of: notification.content) { return nil }
        // With the list of displayed notifications, this one takes the place of another one that
        // isn't opened again.
        let doubles = doubles(of: push, beside: notification)
        let isDouble = reopened.contains(push.messageID) || inbox.store == nil && !doubles.isEmpty
        if push.isRepeated, isDouble {
            list.remove([notification.identifier])
            return nil
        }
        reopened.insert(push.messageID)
        var silent = opened
        silent.content = opened.content.silent
        silent.doubles = doubles
        let decision = Decision(
            notification: notification, inbox: inbox, host: host, record: record)
        let decided = decision.decidedAgain(silent)
        inbox.removeDoubles(decided.doubles, from: list)
        guard decided.outcome.isDropped else {
            return decided.outcome.failure == nil ? decided : nil
        }
        list.remove([notification.identifier])
        if opened.withdrawal != nil { inbox.beginRemoval(from: list) }
        return nil
    }

    /// Returns a Boolean value that indicates whether displayed content can be a fallback or a
    /// sender's placeholder.
    ///
    /// Without a key for receipts, only the words tell: an opened notification isn't sealed any
    /// more, unless the app keeps it sealed.
    private func isCandidate(_ notification: DeliveredNotification) -> Bool {
        let content = notification.content
        let configuration = inbox.configuration
        switch inbox.receiptReader.judgment(of: notification).state {
        case .notByUs: return content.body != configuration.fallback.droppedBody
        case .unknown: break
        default: return false
        }
        let hasOnlyBody = content.title.isEmpty && content.subtitle.isEmpty
        if hasOnlyBody, configuration.fallback.all.contains(content.body) { return true }
        return !configuration.keepsUserInfoSealed
            && content.body != configuration.fallback.droppedBody
    }

    /// Returns the identifiers of the other notifications that display a message, by their
    /// receipts.
    private func doubles(of push: OpenedPush, beside notification: DeliveredNotification)
        -> [String]
    {
        let reader = inbox.receiptReader
        return displayed.filter { other in
            other.identifier != notification.identifier
                && reader.judgment(of: other).receipt?.messageID == push.messageID
        }.map(\.identifier)
    }
}

extension PushInbox {
    /// Opens all displayed notifications again that display the fallback, and removes those that
    /// are withdrawn or whose message another one displays.
    ///
    /// - Parameters:
    ///   - items: The notifications with the dates of their deliveries, and the system around each.
    ///   - list: The system's list.
    /// - Returns: What is displayed instead of each notification, without an alert and with a
    ///   receipt; `nil` leaves it as it is.
    package func reopen(
        _ items: [(notification: DeliveredNotification, host: any NotificationHost)],
        _ list: any DeliveredList
    ) async -> [Presented?] {
        let asked = Ledger.Listing(time: configuration.time.now.millisecondsSince1970)
        beginRemoval(from: list)
        var catchingUp = CatchingUp(inbox: self, list: list, displayed: items.map(\.notification))
        var results: [Presented?] = []
        for item in items {
            results.append(await catchingUp.reopen(item.notification, with: item.host))
        }
        if let store {
            let listed = Set(items.map(\.notification.identifier))
            let removal = NotificationRemoval(store: store, countsBadge: false)
            try? removal.beginDoubles(on: list, displaying: listed, at: asked)
        }
        // A later one of them may be the withdrawal of an earlier one, whose notification is
        // removed already.
        let withdrawn = try? store?.withLedger { (ledger, _) throws(PushCryptError) in
            Set(ledger.withdrawn(now: configuration.time.now.millisecondsSince1970).map(\.name))
        }
        return zip(items, results).map { item, result in
            withdrawn?.contains(item.notification.identifier) == true ? nil : result
        }
    }

    /// Opens a displayed notification again, sealed or foreign; `nil` if it can't be opened.
    fileprivate func reopened(_ notification: DeliveredNotification, _ record: RequestRecord) async
        -> Presented?
    {
        do throws(PushCryptError) {
            var message = try await message(of: notification)
            let found = try lookUp(&message, deliveredAt: notification.date)
            record.state.withLock { state in
                state.hasReadSecrets = true
                state.placed = message.placed
                state.found = found
            }
            return try originals.presented(message, found, replacing: notification)
        } catch {
            return nil
        }
    }

    private func message(of notification: DeliveredNotification) async throws(PushCryptError)
        -> OpenedMessage
    {
        do throws(PushCryptError) {
            return try OpenedMessage(
                verified(notification, as: MessageKind.alert), of: notification)
        } catch {
            guard error.code == .notSealed, let push = foreignPush(of: notification),
                let message = try await foreignMessage(push, of: notification)
            else { throw error }
            return message
        }
    }
}
