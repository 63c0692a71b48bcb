internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// Passphrases that a user types or hands over, read into guarded memory only.
enum PassphrasePrompt {
    private static let maximumLength = 4096
    private static let tooLong = PushCryptError(
        .fileSystemError, "The passphrase has more than \(maximumLength - 1) bytes.")

    /// Reads an open file descriptor to its end, as for `--passphrase-fd`.
    static func read(descriptor number: Int32) throws(PushCryptError) -> SecretBytes {
        let copy = dup(number)
        guard copy >= 0 else {
            throw SystemError.current.error(for: "file descriptor \(number)", "read")
        }
        return try FileDescriptor(owning: copy, name: "file descriptor \(number)")
            .readAll(below: maximumLength, orThrow: tooLong)
    }

    /// Asks on the terminal itself, without showing what is typed, and returns the line.
    static func ask(_ prompt: String) throws(PushCryptError) -> SecretBytes {
        let terminal = try openTerminal()
        // Before the question: text typed at once must neither be shown nor be lost.
        let wait = InterruptibleWait()
        defer { wait.end() }
        let settings = try terminal.hideTyping()
        defer { terminal.restore(settings) }
        let question = Array(prompt.utf8)
        try terminal.write(question.span)
        return try terminal.readAll(below: maximumLength, oneLineAfter: wait, orThrow: tooLong)
    }

    private static func openTerminal() throws(PushCryptError) -> FileDescriptor {
        do throws(PushCryptError) {
            return try FileDescriptor("/dev/tty", O_RDWR)
        } catch {
            throw PushCryptError(
                .passphraseRequired,
                """
                A passphrase is required, and there is no terminal. Use '--passphrase-file' or \
                '--passphrase-fd'.
                """)
        }
    }
}

extension FileDescriptor {
    /// Stops the terminal from showing typed text, and returns its former settings.
    func hideTyping() throws(PushCryptError) -> termios {
        var settings = termios()
        let isTerminal = withNumber { unsafe tcgetattr($0, &settings) } == 0
        let before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard isTerminal, withNumber({ unsafe tcsetattr($0, TCSAFLUSH, &settings) }) == 0 else {
            throw PushCryptError(.passphraseRequired, "The terminal cannot hide the passphrase.")
        }
        return before
    }

    /// Restores the settings of the terminal, and ends the line, because the typed line break isn't
    /// shown.
    func restore(_ settings: termios) {
        var settings = settings
        _ = withNumber { unsafe tcsetattr($0, TCSAFLUSH, &settings) }
        let end = Array("\n".utf8)
        try? write(end.span)
    }
}
