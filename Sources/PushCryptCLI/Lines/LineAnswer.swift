internal import PushCryptSender

/// The answer to a line, without its line break.
struct LineAnswer: Sendable, Equatable {
    /// The fate of the line.
    enum Kind: String, Sendable, CaseIterable {
        /// Sealed, opened or sent.
        case accepted = "s"
        /// Refused for good, by this command or by an earlier one.
        case refused = "r"
        /// To be sent again.
        case unsent = "u"
    }

    let kind: Kind
    let bytes: [UInt8]

    init(_ kind: Kind, _ object: JSONObjectText) {
        self.init(kind, bytes: object.object)
    }

    init(_ kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// Creates the answer to a line that is refused because of an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - number: The number of the line.
    ///   - kept: The members of the line that the answer repeats.
    ///   - details: More members of the error.
    init(
        refusing error: PushCryptError, number: Int, keeping kept: JSONObjectText,
        _ details: JSONObjectText = JSONObjectText()
    ) {
        var object = kept
        object.append("line", number)
        object.append("error", JSONObjectText(error, details))
        self.init(.refused, object)
    }
}

extension JSONObjectText {
    /// The code and the reason of an error, and more members.
    init(_ error: PushCryptError, _ details: JSONObjectText) {
        self.init()
        append("code", error.code.rawValue)
        append("reason", error.reason)
        append(details)
    }
}

/// The number of answers of each kind.
struct AnswerCounts: Sendable, Equatable {
    var accepted = 0
    var refused = 0
    var unsent = 0

    /// The status of the command if all lines have answers.
    var status: ExitStatus { unsent > 0 ? .failure : refused > 0 ? .input : .success }

    mutating func add(_ kind: LineAnswer.Kind) {
        switch kind {
        case .accepted: accepted += 1
        case .refused: refused += 1
        case .unsent: unsent += 1
        }
    }
}
