@testable import PushCryptCore
@testable import PushCryptPayload
@testable import PushCryptSender

/// Invariants of the payload of a withdrawal.
///
/// - An accepted withdrawal names 1 to 100 notifications or threads, each with text.
/// - It is encoded as JSON that is accepted, and names the same.
/// - What a sealer takes as a withdrawal is accepted by a device, and each collapse ID is 1 to 64
///   visible characters.
/// - A payload that a sealer prepares isn't longer than APNs accepts.
enum WithdrawalPayload {
    private static let sealer = Sealer(.anonymous, padding: .none)

    static func check(_ input: [UInt8]) {
        let prepared = accepted { () throws(PushCryptError) in try sealer.prepare(json: input) }
        if let prepared {
            require(prepared.payloadLength <= 4096, "a sealed payload has at most 4096 bytes")
        }
        let isWithdrawal =
            prepared != nil
            && accepted { () throws(PushCryptError) in
                try sealer.prepare(json: input, as: .withdrawal)
            } != nil
        guard
            let members = accepted({ () throws(PushCryptError) in try JSONValue(parsing: input) })?
                .objectValue
        else { return }
        guard let withdrawal = accepted({ () throws(PushCryptError) in try Withdrawal(members) })
        else {
            return require(!isWithdrawal, "a device accepts what a sealer takes as a withdrawal")
        }
        let texts = withdrawal.collapseIDs + withdrawal.threadIDs
        require(
            (1...100).contains(texts.count) && !texts.contains(""),
            "a withdrawal names 1 to 100 texts")
        if isWithdrawal {
            require(
                withdrawal.collapseIDs.allSatisfy(Withdrawal.isCollapseID),
                "a sealed collapse ID is valid")
        }
        checkEncoding(withdrawal)
    }

    private static func checkEncoding(_ withdrawal: Withdrawal) {
        guard let json = try? JSONText.encoded(withdrawal),
            let members = try? JSONValue(parsing: json).objectValue,
            let again = try? Withdrawal(members)
        else { return require(false, "an encoded withdrawal is accepted") }
        require(
            again.collapseIDs.map { Array($0.utf8) }
                == withdrawal.collapseIDs.map { Array($0.utf8) }
                && again.threadIDs.map { Array($0.utf8) }
                    == withdrawal.threadIDs.map { Array($0.utf8) },
            "a withdrawal is the one of its JSON")
    }
}
