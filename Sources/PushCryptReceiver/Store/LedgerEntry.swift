// The entries of a ledger.
extension Ledger {
    struct Entry: Sendable, Hashable {
        /// The hash of the account's name.
        var account: Digest
        /// The identifier of a notification; empty for a withdrawal, and for an identifier that
        /// APNs wouldn't accept.
        var identifier: [UInt8] = []
        /// The hash of the identifier, or of the identifier or thread that is withdrawn.
        var target: Digest
        /// The hash of the message's thread.
        var thread = Digest.none
        /// The time at which the message was issued, in milliseconds since 1970.
        var issuedAt: UInt64
        /// The time of the hand-over, in milliseconds since 1970; 0 if the message wasn't handed
        /// over.
        var time: UInt64 = 0
        /// The last time at which the message opens, or at which the withdrawal acts, in
        /// milliseconds since 1970.
        var end: UInt64
        /// The ID of the message; `none` for a withdrawal.
        var message = Digest.none
        var state = State.known
        /// A Boolean value that indicates whether the message came under this identifier first.
        var isFirst = false

        init(account: Digest, target: Digest, issuedAt: UInt64, end: UInt64) {
            self.account = account
            self.target = target
            self.issuedAt = issuedAt
            self.end = end
        }

        static let free = Entry(account: .none, target: .none, issuedAt: 0, end: 0, state: .free)

        private init(account: Digest, target: Digest, issuedAt: UInt64, end: UInt64, state: State) {
            self.init(account: account, target: target, issuedAt: issuedAt, end: end)
            self.state = state
        }

        var name: String { String(decoding: identifier, as: UTF8.self) }

        /// Returns a Boolean value that indicates whether a notification has the entry's
        /// identifier.
        func isNamed(_ name: String) -> Bool { identifier.elementsEqual(name.utf8) }

        /// A Boolean value that indicates whether the entry is of a message, not of a withdrawal or
        /// a limit.
        var isMessage: Bool { isListed || state == .known }

        /// A Boolean value that indicates whether the system's list may have the notification.
        var isListed: Bool { state == .shown || state == .superseded }

        /// Returns a Boolean value that indicates whether two entries compete for room.
        func sharesRoom(with other: Entry) -> Bool {
            account == other.account && state.room == other.state.room
        }

        /// Returns a Boolean value that indicates whether two entries have the same message.
        func isSameMessage(as other: Entry) -> Bool {
            message != .none && message == other.message && account == other.account
        }
    }

    enum State: UInt8, Sendable {
        case free = 0
        /// The message is displayed at its identifier.
        case shown = 1
        /// A later notification displays the same message.
        case superseded = 2
        /// The message was recorded or shown under its identifier, and isn't displayed there.
        case known = 3
        /// The server or the app has withdrawn an identifier or a thread.
        case withdrawal = 4
        /// The app has dropped the message, which no server has withdrawn.
        case dropped = 5
        /// The entry has the issue time of the latest withdrawal that the account had no room for.
        case limit = 6
        /// The entry has the issue time of the latest message that the account had no room for.
        case forgotten = 7

        /// The state whose entries have the same room.
        var room: State { self == .superseded ? .shown : self }

        /// The greatest number of an account's entries.
        var capacity: Int { self == .known ? 1500 : 500 }
    }
}
