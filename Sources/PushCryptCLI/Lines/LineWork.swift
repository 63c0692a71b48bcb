internal import PushCryptSender

/// The work on lines whose answers need no other process, with a copy for each batch.
protocol LineWork: Sendable {
    /// The members that no answer repeats.
    var hiddenMembers: [String] { get }

    /// Returns the answer to a line, or throws the error for which it is refused.
    mutating func answer(_ line: LineMembers) throws(PushCryptError) -> LineAnswer
}

extension LineWork {
    /// Returns the answer to a line.
    mutating func answer(_ line: Line, number: Int) -> LineAnswer {
        var members: LineMembers?
        do throws(PushCryptError) {
            let scanned = try LineMembers(scanning: line, number: number)
            members = scanned
            return try answer(scanned)
        } catch {
            return refusal(of: members, number: number, error)
        }
    }

    /// Returns the answer to a line that is refused because of an error; a line may have no
    /// members.
    func refusal(of line: LineMembers?, number: Int, _ error: PushCryptError) -> LineAnswer {
        let kept = line?.keptWithoutPrivateKeys(without: hiddenMembers + ["line", "error"])
        return LineAnswer(refusing: error, number: number, keeping: kept ?? JSONObjectText())
    }
}
