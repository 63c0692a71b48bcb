internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

enum Input {
    /// Reads and parses a file, and has an error of the parser name it.
    static func parse<Result>(
        _ path: String, _ body: ([UInt8]) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let bytes = try text(path)
        return try naming(path) { () throws(PushCryptError) in try body(bytes) }
    }

    static func strings(_ path: String) throws(PushCryptError) -> DictionaryStringTable {
        try parse(path) { (bytes) throws(PushCryptError) in
            try DictionaryStringTable(parsing: bytes)
        }
    }

    /// Reads a file that must not be a keyring, which the tool would print, seal or keep in
    /// ordinary memory.
    static func text(_ path: String, maximumLength: Int = 1 << 20) throws(PushCryptError) -> [UInt8]
    {
        let file = try read(path, maximumLength: maximumLength)
        return try file.withSpan { (bytes) throws(PushCryptError) in
            guard !KeyMaterial.isKeys(bytes) else {
                throw PushCryptError(
                    .invalidPayload,
                    """
                    \(name(path)) is a key or a keyring, or contains a private key. Name another \
                    file.
                    """)
            }
            return [UInt8](copying: bytes)
        }
    }

    /// Reads a file, a pipe or standard input (-) to its end, into guarded memory because it may
    /// hold keys by mistake.
    static func read(_ path: String, maximumLength: Int = 1 << 20) throws(PushCryptError)
        -> SecretBytes
    {
        try open(path).readAll(
            below: maximumLength + 1,
            orThrow: PushCryptError(
                .payloadTooLarge, "\(name(path)) has more than \(maximumLength) bytes. Shorten it.")
        )
    }

    /// Opens a file, a pipe or standard input (-).
    static func open(_ path: String, flags: Int32 = O_NONBLOCK) throws(PushCryptError)
        -> FileDescriptor
    {
        // O_NONBLOCK, because opening a pipe without a writer would wait forever. Such a pipe is
        // empty.
        guard path == "-" else { return try FileDescriptor(path, O_RDONLY | flags) }
        if isatty(STDIN_FILENO) == 1 { Output.hint("reading standard input; end it with Ctrl-D") }
        return FileDescriptor(owning: dup(STDIN_FILENO), name: name(path))
    }

    private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
