internal import PushCryptSender
internal import PushCryptSystem

extension FileDescriptor {
    /// Reads into guarded memory: to the end, or one line that is typed after the start of a wait.
    func readAll(
        below maximumLength: Int, oneLineAfter wait: InterruptibleWait? = nil,
        orThrow tooLong: PushCryptError
    ) throws(PushCryptError) -> SecretBytes {
        var length = 0
        let room = try SecretBytes(count: maximumLength) { (bytes) throws(PushCryptError) in
            while length < maximumLength {
                if let wait, !wait.untilReadable(self) {
                    throw PushCryptError(
                        .passphraseRequired,
                        "Interrupted before the passphrase was typed. Nothing was changed.")
                }
                let part = length..<(wait != nil ? length + 1 : maximumLength)
                let count = try readOnce(into: &bytes, part)
                guard count > 0 else { return }
                length += count
                if wait != nil, bytes[length - 1] == UInt8(ascii: "\n") { return }
            }
            throw tooLong
        }
        return try room.withSpan { (bytes) throws(PushCryptError) in
            try SecretBytes(copying: bytes.extracting(..<length))
        }
    }
}
