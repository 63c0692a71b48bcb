package import PushCryptCore
internal import PushCryptKeyring

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Secrets that somebody types or hands over: read into guarded memory, and into nothing else.
package enum PassphrasePrompt {
    /// Longer than any passphrase.
    private static let maximumLength = 4096

    /// Reads an open file descriptor to its end, as for `--passphrase-fd`.
    ///
    /// - Throws: ``PushCryptError`` with `fileSystemError`.
    package static func read(descriptor number: Int32) throws(PushCryptError) -> SecretBytes {
        let copy = dup(number)
        guard copy >= 0 else { throw SystemError.last.error("read", "file descriptor \(number)") }
        return try read(FileDescriptor(owning: copy, name: "file descriptor \(number)"))
    }

    /// Asks on the terminal, without showing what is typed.
    ///
    /// - Parameter prompt: what to ask; it goes to the terminal itself, not to standard output or error.
    /// - Returns: the line, in guarded memory.
    /// - Throws: ``PushCryptError`` with `passphraseRequired` where there is no terminal.
    package static func ask(_ prompt: String) throws(PushCryptError) -> SecretBytes {
        let terminal = try openTerminal()
        // Before the question: what somebody types on it at once must neither be shown nor be lost.
        let wait = InterruptibleWait()
        defer { wait.end() }
        let settings = try terminal.hideTyping()
        let line: Result<SecretBytes, PushCryptError>
        do throws(PushCryptError) {
            let question = Array(prompt.utf8)
            try terminal.write(question.span)
            line = .success(try read(terminal, oneLineAfter: wait))
        } catch {
            line = .failure(error)
        }
        terminal.restore(settings)
        let end = Array("\n".utf8)
        try terminal.write(end.span)
        return try line.get()
    }

    private static func openTerminal() throws(PushCryptError) -> FileDescriptor {
        do throws(PushCryptError) {
            return try FileDescriptor("/dev/tty", O_RDWR)
        } catch {
            throw PushCryptError(.passphraseRequired, "A passphrase is needed, and there is no terminal to ask on.")
        }
    }

    private static func read(
        _ file: borrowing FileDescriptor, oneLineAfter wait: InterruptibleWait? = nil
    ) throws(PushCryptError) -> SecretBytes {
        var length = 0
        let room = try SecretBytes(count: maximumLength) { (bytes) throws(PushCryptError) in
            while length < maximumLength {
                if let wait, !wait.untilReadable(file) {
                    throw PushCryptError(
                        .passphraseRequired, "Interrupted before a passphrase was typed. Nothing was changed.")
                }
                let part = length..<(wait != nil ? length + 1 : maximumLength)
                let count = try file.readOnce(into: &bytes, part)
                guard count > 0 else { return }
                length += count
                if wait != nil, bytes[length - 1] == UInt8(ascii: "\n") { return }
            }
            throw PushCryptError(.fileSystemError, "The passphrase has more than \(maximumLength - 1) bytes.")
        }
        return try SecretBytes(count: length) { (bytes) throws(PushCryptError) in
            room.read { all in
                for index in 0..<length { bytes[index] = all[index] }
            }
        }
    }
}

/// The settings of a terminal as they were.
struct TerminalSettings {
    fileprivate let attributes: termios
}

extension FileDescriptor {
    /// Stops the terminal from showing what is typed, and returns its settings as they were.
    func hideTyping() throws(PushCryptError) -> TerminalSettings {
        var attributes = termios()
        guard withNumber({ unsafe tcgetattr($0, &attributes) }) == 0 else {
            throw PushCryptError(.passphraseRequired, "The terminal cannot be told to hide what is typed.")
        }
        let before = TerminalSettings(attributes: attributes)
        attributes.c_lflag &= ~tcflag_t(ECHO)
        guard withNumber({ unsafe tcsetattr($0, TCSAFLUSH, &attributes) }) == 0 else {
            throw PushCryptError(.passphraseRequired, "The terminal cannot be told to hide what is typed.")
        }
        return before
    }

    /// Gives the terminal its settings back.
    func restore(_ settings: TerminalSettings) {
        var attributes = settings.attributes
        _ = withNumber { unsafe tcsetattr($0, TCSAFLUSH, &attributes) }
    }
}
