internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// A file with a list of accepted keys, which the server hands out.
struct SignerListFile {
    let path: String

    /// Reads and verifies the list.
    func read(roots: [VerificationKey]) throws(PushCryptError) -> SignerList {
        let text = try Input.text(path, maximumLength: 1 << 17)
        return try naming(path) { () throws(PushCryptError) in try SignerList(verifying: text, roots: roots) }
    }

    /// Reads and verifies the list, or returns `nil` if the file doesn't exist.
    func readIfPresent(roots: [VerificationKey]) throws(PushCryptError) -> SignerList? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try read(roots: roots)
    }

    /// Runs a step that reads the keyring and replaces the list, while no other process does both.
    ///
    /// Otherwise a list that is announced at the same time could have a key that was just revoked.
    func withLock<Result>(_ body: () throws(PushCryptError) -> Result) throws(PushCryptError) -> Result {
        try SecretFile(path).withLock(isPrivate: false, body)
    }

    func replace(with list: SignerList) throws(PushCryptError) {
        try OutputFile.write(Array((list.text + "\n").utf8), to: path, isPrivate: false)
    }
}
