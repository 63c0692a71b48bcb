import Foundation
import Logging
import PushCryptSender

/// The lists of accepted keys, which the server hands out in its answers to registrations.
struct SignerLists: Sendable {
    /// The path of a file with one list per line; `nil` if the app pins the server's only key.
    let path: String?

    /// Returns the lists that have the primary key of a keyring.
    ///
    /// The file is read again each time, because `pushcrypt keys announce -o` replaces it.
    func listing(_ keyring: SigningKeyring, _ logger: Logger) -> [String] {
        guard let path else { return [] }
        do {
            let text = String(
                decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            return text.split(whereSeparator: \.isNewline).map(String.init).filter { list in
                Self.isListing(keyring, list, logger)
            }
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            logger.error(
                "The lists of accepted keys can't be read.", metadata: ["error": "\(error)"])
            return []
        }
    }

    /// Returns whether devices that take a list accept the next pushes; the log has the reason if
    /// they don't.
    private static func isListing(_ keyring: SigningKeyring, _ list: String, _ logger: Logger)
        -> Bool
    {
        do {
            let signerList = try SignerList(unverified: list)
            try signerList.checkListing(of: keyring)
            let others = Set(signerList.keys).subtracting(keyring.keys.map(\.publicKey))
            if !others.isEmpty {
                // After a revocation, until a list without the key is there.
                logger.warning(
                    "Devices accept keys that the keyring lacks. Announce the keys again.",
                    metadata: ["keys": "\(others.map(\.keyID))"])
            }
            return true
        } catch {
            logger.error(
                "A list of accepted keys isn't handed out.", metadata: ["error": "\(error)"])
            return false
        }
    }
}
