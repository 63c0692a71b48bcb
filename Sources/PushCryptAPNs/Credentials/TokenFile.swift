#if APNs
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptFoundation
internal import PushCryptSender
internal import PushCryptSystem

/// A file with mode 0600 and the provider token, through which processes share it.
struct TokenFile: Sendable {
    private let file: SecretFile

    init(_ path: String) { file = SecretFile(path, lockPatience: 1000) }

    /// Returns the contents of the file; `nil` if it's missing, or if other users could have
    /// written it.
    func read() -> String? {
        try? file.read().withSpan { String(decoding: [UInt8](copying: $0), as: UTF8.self) }
    }

    /// Replaces a token, and returns the contents of the file: another token if another process was
    /// faster.
    ///
    /// Each process can do without the file, so an error only costs a signature. A file with
    /// anything else stays.
    func replace(_ old: String?, with new: String) -> String {
        let text = try? file.withLock { () throws(PushCryptError) -> String in
            let current = read()
            if let current, current != old { return current }
            if ProviderJWT.keyID(of: current ?? "") == nil {
                guard try file.readIfPresent() == nil else { return new }
            }
            let bytes = Array(new.utf8)
            try file.replace(SecretBytes(copying: bytes.span))
            return new
        }
        return text ?? new
    }
}
#endif
