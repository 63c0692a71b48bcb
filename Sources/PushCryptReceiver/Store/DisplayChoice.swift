internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptSystem

/// The file with the user's choice of display: the epoch of the device's secrets, and the name of
/// the choice.
struct DisplayChoice: Sendable {
    let path: String

    private var file: SecretFile { SecretFile(path) }

    /// The contents of the file.
    struct Stored: Hashable {
        let display: NotificationDisplay
        let epoch: StoreEpoch?
    }

    /// Returns the stored choice; `nil` if the file is missing.
    ///
    /// - Throws: ``PushCryptError`` if the file can't be read or is damaged.
    func read() throws(PushCryptError) -> Stored? {
        guard let contents = try file.readIfPresent() else { return nil }
        let text = contents.withSpan { String(decoding: [UInt8](copying: $0), as: UTF8.self) }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let display = NotificationDisplay(rawValue: String(words[1])) else {
            throw PushCryptError(
                .fileSystemError, "\(path) is damaged. Set the choice of display again.")
        }
        let epoch = try? Base64URL.decode(Array(words[0].utf8).span)
        return Stored(display: display, epoch: epoch.flatMap { StoreEpoch(stored: $0[...]) })
    }

    /// Stores the choice under an epoch.
    func write(_ display: NotificationDisplay, under epoch: StoreEpoch?) throws(PushCryptError) {
        let text = Array(Self.text(display, epoch).utf8)
        // Synced, because after a power failure the device must not display more than the user has
        // chosen.
        try file.withLock { () throws(PushCryptError) in
            try file.replace(SecretBytes(copying: text.span))
        }
    }

    private static func text(_ display: NotificationDisplay, _ epoch: StoreEpoch?) -> String {
        "\(epoch.map { Base64URL.encode($0.bytes) } ?? "-") \(display.rawValue)"
    }
}
