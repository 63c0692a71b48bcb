internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// A public key on the command line (KEY).
enum KeyArgument {
    /// Reads the keys of all arguments: each is a JWK, a JWK Set, a raw key, several of these on
    /// lines, or a file that holds them.
    ///
    /// A key that is given twice is one key.
    static func verificationKeys(_ arguments: [String], for option: String) throws
        -> [VerificationKey]
    {
        var keys: [VerificationKey] = []
        for argument in arguments {
            let more = try read(argument, for: option) { (bytes) throws(PushCryptError) in
                try VerificationKeys(parsing: bytes).keys
            }
            for key in more where !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// Reads a device's key: a JWK, the primary key of a JWK Set, a raw key, a registration, or a
    /// file that holds one.
    static func recipient(_ argument: String, for option: String) throws -> any SealTarget {
        try read(argument, for: option) { (bytes) throws(PushCryptError) in
            let recipient = try recipient(parsing: bytes)
            if KeyMaterial.isKeysWithPrivateHalf(bytes) {
                Output.warning(
                    """
                    \(SafeText.onOneLine(argument)) has the device's private key, which belongs on \
                    the device alone; give the public key, as 'pushcrypt keys public' prints it
                    """)
            }
            return recipient
        }
    }

    /// Parses a key, or a registration, which has a key as a member.
    static func recipient(parsing bytes: Span<UInt8>) throws(PushCryptError) -> any SealTarget {
        guard bytes.count > 43, let document = try? JSONDocument(scanning: bytes),
            document.member("key", in: bytes) != nil
        else { return try RecipientPublicKey(parsing: bytes) }
        return try Registration(parsing: [UInt8](copying: bytes))
    }

    /// Reads an argument, or the file that it names; a message doesn't repeat what may be a private
    /// key.
    private static func read<Value>(
        _ argument: String, for option: String,
        _ parse: (Span<UInt8>) throws(PushCryptError) -> Value
    ) throws -> Value {
        guard !argument.isEmpty else { throw ValidationError("The value of '\(option)' is empty.") }
        let bytes = Array(argument.utf8)
        let isContents = PathArgument.isContents(argument)
        guard !isContents || !argument.contains(#""d""#) else {
            throw ValidationError(
                """
                The value of '\(option)' is a private key, and other processes can read the \
                command line. Consider the key compromised. Create another, and name its file.
                """)
        }
        if isContents || bytes.count == 43 && (try? Base64URL.decode(bytes.span))?.count == 32 {
            return try naming(option) { () throws(PushCryptError) in try parse(bytes.span) }
        }
        guard argument != "-",
            bytes.count < 43 || argument.contains(where: { $0 == "/" || $0 == "." })
        else {
            throw ValidationError(
                "The value of '\(option)' isn't a file, a JWK or a raw key of 43 characters.")
        }
        return try naming("\(option) \(argument)") { () throws(PushCryptError) in
            try read(file: argument, parse)
        }
    }

    /// Reads a file into guarded memory, because it may hold private keys too.
    private static func read<Value>(
        file path: String, _ parse: (Span<UInt8>) throws(PushCryptError) -> Value
    ) throws(PushCryptError) -> Value {
        let file: SecretBytes
        do throws(PushCryptError) {
            file = try Input.read(path)
        } catch {
            guard error.code == .fileNotFound else { throw error }
            throw PushCryptError(
                .fileNotFound, "This isn't a file, a JWK or a raw key of 43 characters.")
        }
        return try file.withSpan(parse)
    }
}
