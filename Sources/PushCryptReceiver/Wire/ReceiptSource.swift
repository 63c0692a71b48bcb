internal import Foundation
package import PushCryptCore
package import PushCryptKeyring
package import PushCryptPayload

/// The part of a notification's `userInfo` that its receipt binds.
package enum ReceiptSource: Sendable {
    /// The sealed text.
    case sealed([UInt8])
    /// The opened payload, as the system's dictionary has it.
    case opened(JSONValue)

    /// Reads a dictionary of the system.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch` if it contains a value that a payload
    ///   can't.
    package init(userInfo: [AnyHashable: Any], from carrier: Carrier) throws(PushCryptError) {
        if let text = try SealedPlace(of: carrier).value(in: userInfo) as? String {
            self = .sealed(Array(text.utf8))
        } else {
            self = .opened(try JSONValue(userInfo: userInfo))
        }
    }

    /// Returns the digest of the sealed text, or of the payload's canonical JSON without the
    /// receipt.
    ///
    /// The JSON has no white space, and its members are sorted.
    func digest() throws(PushCryptError) -> [UInt8] {
        switch self {
        case .sealed(let text): return try BLAKE2b.hash(text)
        case .opened(let payload):
            let members = (payload.objectValue ?? [:]).filter { $0.key != Envelope.receiptKey }
            return try BLAKE2b.hash(try JSONValue.object(members).json())
        }
    }
}
