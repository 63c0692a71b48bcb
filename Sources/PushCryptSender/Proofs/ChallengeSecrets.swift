internal import PushCryptCore
internal import PushCryptSystem

/// The secret under which a server issues challenges, and the previous one while they rotate.
///
/// ```sh
/// openssl rand -base64 32 | tr '+/' '-_' | tr -d '='   # a new secret: 43 characters
/// ```
///
/// To rotate, write the new secret above the old one. Delete the old line after the lifetime of a
/// challenge. The secrets lie in libsodium's guarded memory.
public struct ChallengeSecrets: Sendable {
    /// The secrets that count for answers; the first one issues challenges.
    let all: [SecretBytes]

    /// The secret that issues challenges.
    let current: SecretBytes

    /// Parses one or two secrets.
    ///
    /// - Parameter text: One or two lines of 43 characters in base64url, 32 bytes each; the current
    ///   secret comes first.
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        try self.init(lines: text.bytesForPushCrypt.span)
    }

    /// Reads one or two secrets from a file with mode 0600.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile`, `invalidKey` or another
    ///   error of a file.
    public init(contentsOf path: String) throws(PushCryptError) {
        self = try SecretFile(path).read().withSpan { (text) throws(PushCryptError) in
            try ChallengeSecrets(lines: text)
        }
    }

    /// Parses lines where they are, because a copy isn't wiped.
    private init(lines text: Span<UInt8>) throws(PushCryptError) {
        var secrets: [SecretBytes] = []
        var start = 0
        for end in 0...text.count where end == text.count || [0x0A, 0x0D].contains(text[end]) {
            if start < end {
                guard let secret = try? SecretBase64.decodeKey(text.extracting(start..<end)) else {
                    throw Self.invalid
                }
                secrets.append(secret)
            }
            start = end + 1
        }
        guard (1...2).contains(secrets.count) else { throw Self.invalid }
        all = secrets
        current = secrets[0]
    }

    private static let invalid = PushCryptError(
        .invalidKey,
        """
        The secret of challenges isn't one or two lines of 43 characters in base64url. Create it \
        with openssl rand.
        """)
}

extension ChallengeSecrets: CustomStringConvertible, Redacted {
    /// The number of secrets.
    public var description: String { "ChallengeSecrets (\(all.count))" }
}
