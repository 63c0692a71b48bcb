internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// A path on the command line.
enum PathArgument {
    /// Checks that an argument is a path: messages repeat paths, and must not repeat keys or
    /// payloads.
    static func check(_ argument: String?, for option: String) throws {
        guard let argument else { return }
        guard !argument.isEmpty else { throw ValidationError("The value of '\(option)' is empty.") }
        guard !isContents(argument) else {
            throw ValidationError(
                """
                '\(option)' expects a file name but got file contents. If this was a private key, \
                treat it as compromised.
                """)
        }
        guard !isRawKey(argument) || FileManager.default.fileExists(atPath: argument) else {
            throw ValidationError(
                """
                '\(option)' expects a file name but got a raw key. If this was a private key, \
                treat it as compromised.
                """)
        }
    }

    /// Returns a Boolean value that indicates whether an argument is the base64url of 32 bytes.
    private static func isRawKey(_ argument: String) -> Bool {
        let bytes = Array(argument.utf8)
        return bytes.count == 43 && (try? Base64URL.decode(bytes.span))?.count == 32
    }

    /// Returns a Boolean value that indicates whether an argument is the contents of a file.
    static func isContents(_ argument: String) -> Bool {
        argument.contains { $0 == "{" || $0 == "\"" || $0.isNewline }
    }
}
