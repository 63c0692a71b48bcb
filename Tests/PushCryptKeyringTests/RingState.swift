import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport

extension Keyring {
    /// Everything that is stored of it, to compare.
    var state: String {
        get throws { String(decoding: try exportWithPrivateKeys().copy, as: UTF8.self) }
    }

    /// The ids of the retired keys, the newest first.
    var retiredIDs: [KeyID] { retired.map(\.key.publicKey.keyID) }

    /// How many keys its stored form calls primary.
    var primaries: Int {
        get throws { try state.components(separatedBy: #""state":"primary""#).count - 1 }
    }

    /// A keyring whose generation is the last one.
    static func atTheEnd(_ ring: Keyring) throws -> Keyring {
        let text = try ring.state.replacingOccurrences(
            of: #"{"generation":\#(ring.generation),"#, with: #"{"generation":\#((1 << 53) - 1),"#)
        return try Keyring(parsing: Array(text.utf8).span)
    }
}
