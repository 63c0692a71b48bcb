internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

/// An opened message, and the place of its notification on the screen.
struct PlacedMessage: Sendable {
    var push: OpenedPush

    /// The identifier of the request, which is the push's collapse ID if it has one.
    let identifier: String

    /// The identifier of the message's thread.
    let thread: String

    /// Returns the message as the ledger records it.
    func entry(_ hash: LedgerHash) throws(PushCryptError) -> Ledger.Entry {
        let bytes = Array(identifier.utf8)
        var entry = Ledger.Entry(
            account: try hash(nil, push.account), target: try hash(.collapseIDs, identifier),
            issuedAt: push.issuedAt.millisecondsSince1970, end: push.end.millisecondsSince1970)
        if bytes.count <= LedgerFile.longestIdentifier { entry.identifier = bytes }
        entry.thread = try hash(.threadIDs, thread)
        entry.message = Ledger.Digest(push.messageID)
        return entry
    }

    /// Returns the entry of a message that the app has dropped.
    func droppedEntry(_ hash: LedgerHash) throws(PushCryptError) -> Ledger.Entry {
        var entry = Ledger.Entry(
            account: try hash(nil, push.account), target: Ledger.Digest(push.messageID),
            issuedAt: push.issuedAt.millisecondsSince1970, end: push.end.millisecondsSince1970)
        entry.state = .dropped
        return entry
    }
}

extension Ledger {
    /// Records a withdrawal, which acts on late notifications.
    ///
    /// It's remembered until the latest possible end of what it withdraws: 32 days after its issue.
    mutating func withdraw(
        _ withdrawal: Withdrawal, account: String, issuedAt date: Date, _ hash: LedgerHash,
        now: UInt64
    ) throws(PushCryptError) {
        // The app's date can be far in the future.
        let issuedAt = min(date.millisecondsSince1970, .max / 2)
        let end = issuedAt + Freshness.standard.maximumAge(lifetime: .max)
        let account = try hash(nil, account)
        for (name, texts) in [
            (.collapseIDs, withdrawal.collapseIDs), (.threadIDs, withdrawal.threadIDs),
        ]
            as [(Withdrawal.Member, [String])]
        {
            for text in texts where !text.isEmpty {
                let target = try hash(name, text)
                withdraw(
                    Entry(account: account, target: target, issuedAt: issuedAt, end: end), now: now)
            }
        }
    }
}
