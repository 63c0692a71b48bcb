internal import PushCryptSender

/// The answer to a line, without its line break.
struct LineAnswer: Sendable, Equatable {
    /// The fate of the push.
    enum Kind: String, Sendable, CaseIterable {
        case sent = "s"
        /// Refused for good, by this command or by an earlier one.
        case refused = "r"
        /// To be sent again.
        case unsent = "u"
    }

    let kind: Kind
    let bytes: [UInt8]

    init(_ kind: Kind, _ object: JSONObjectText) {
        self.kind = kind
        var bytes: [UInt8] = []
        bytes.reserveCapacity(object.members.count + 2)
        object.write(to: &bytes)
        self.bytes = bytes
    }

    init(_ kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// The number of answers of each kind.
struct AnswerCounts: Sendable, Equatable {
    var sent = 0
    var refused = 0
    var unsent = 0

    var all: Int { sent + refused + unsent }

    /// The status of the command if all lines have answers.
    var status: ExitStatus { unsent > 0 ? .failure : refused > 0 ? .input : .success }

    mutating func add(_ kind: LineAnswer.Kind) {
        switch kind {
        case .sent: sent += 1
        case .refused: refused += 1
        case .unsent: unsent += 1
        }
    }
}
