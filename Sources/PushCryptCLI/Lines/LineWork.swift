internal import PushCryptSender

/// The work on lines, with a copy for each batch.
protocol LineWork: Sendable {
    /// The members that no answer repeats.
    var hiddenMembers: [String] { get }

    /// Returns the result for the members of a line, or throws the error for which it is rejected.
    mutating func result(for line: LineMembers) async throws(PushCryptError) -> LineResult
}

extension LineWork {
    /// Returns the answer to a line.
    mutating func answer(_ line: Line, number: Int) async -> LineResult {
        var members: LineMembers?
        do throws(PushCryptError) {
            let scanned = try LineMembers(scanning: line, number: number)
            members = scanned
            return try await result(for: scanned)
        } catch {
            let kept = repeatedMembers(of: members)
            return .refusal(LineRefusal(error: error, number: number, kept: kept))
        }
    }

    /// Returns the members that the answer to an invalid line repeats.
    private func repeatedMembers(of line: LineMembers?) -> JSONObjectText {
        line?.keptWithoutPrivateKeys(without: hiddenMembers + ["line", "error"]) ?? JSONObjectText()
    }
}
