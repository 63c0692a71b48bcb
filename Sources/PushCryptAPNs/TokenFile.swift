#if APNs
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptFoundation
internal import PushCryptSender

/// A file with mode 0600 and the provider token, through which processes share it.
struct TokenFile: Sendable {
    private let file: SecretFile

    init(_ path: String) { file = SecretFile(path, lockPatience: 1000) }

    /// Returns the token of a key and a team; `nil` if there is none, or if other users could have written it.
    func read(_ keyID: String, _ teamID: String) -> ProviderToken.Signed? {
        guard let text = try? file.read().withSpan({ String(decoding: [UInt8](copying: $0), as: UTF8.self) }) else {
            return nil
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.count == 3, member("kid", of: parts[0]) == keyID, member("iss", of: parts[1]) == teamID,
            let seconds = member("iat", of: parts[1]).flatMap({ TimeInterval($0) })
        else { return nil }
        return ProviderToken.Signed(text: text, issued: Date(timeIntervalSince1970: seconds))
    }

    private func member(_ name: String, of part: [UInt8]) -> String? {
        guard let json = try? Base64URL.decode(part.span), let document = try? JSONDocument(scanning: json.span) else {
            return nil
        }
        let member = document.member(name, in: json.span)
        return document.string(member, in: json.span) ?? document.number(member, in: json.span)
    }

    /// Keeps a token for other processes, which can do without, so an error only costs them a signature.
    func store(_ signed: ProviderToken.Signed) {
        let bytes = Array(signed.text.utf8)
        guard let secret = try? SecretBytes(copying: bytes.span) else { return }
        try? file.withLock { () throws(PushCryptError) in try file.replace(secret) }
    }
}
#endif
