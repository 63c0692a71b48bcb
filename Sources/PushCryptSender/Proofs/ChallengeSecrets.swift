internal import PushCryptCore
internal import PushCryptSystem

/// The secret under which a server issues challenges, and the previous one while they rotate.
///
/// ```sh
/// openssl rand -base64 32 | tr '+/' '-_' | tr -d '='   # a new secret: 43 characters
/// ```
///
/// To rotate, write the new secret above the old one. Delete the old line after the lifetime of a challenge. The
/// secrets lie in libsodium's guarded memory.
public struct ChallengeSecrets: Sendable {
    /// The secrets that count for answers; the first one issues challenges.
    let all: [SecretBytes]

    /// The secret that issues challenges.
    let current: SecretBytes

    /// Parses one or two secrets.
    ///
    /// - Parameter text: One or two lines of 43 characters in base64url, 32 bytes each; the current secret comes first.
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        let bytes = text.utf8Bytes
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard (1...2).contains(lines.count) else { throw Self.invalid }
        var secrets: [SecretBytes] = []
        for line in lines {
            guard let secret = try? SecretBase64.decodeKey(Array(line).span) else { throw Self.invalid }
            secrets.append(secret)
        }
        all = secrets
        current = secrets[0]
    }

    /// Reads one or two secrets from a file with mode 0600.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile`, `invalidKey` or another error of a file.
    public init(contentsOf path: String) throws(PushCryptError) {
        let file = try SecretFile(path).read()
        try self.init(parsing: file.withSpan { [UInt8](copying: $0) })
    }

    private static let invalid = PushCryptError(
        .invalidKey,
        "The secret of challenges isn't one or two lines of 43 characters in base64url. Create it with openssl rand.")
}

extension ChallengeSecrets: CustomStringConvertible, Redacted {
    /// The number of secrets.
    public var description: String { "ChallengeSecrets (\(all.count))" }
}
