import Foundation

/// An error code that the sources declare, read from there so that a test can't miss one.
package struct DeclaredCode: Sendable {
    /// The name of the constant.
    package let name: String
    /// The code's word.
    package let word: String
    /// The file in the directory of the errors, such as `ErrorCode+Keys.swift`.
    package let file: String

    /// The files that declare the library's codes, in the order of the documentation.
    package static let files = [
        "Keys", "KeyStores", "Registration", "SignerLists", "Attachments", "Messages", "Trust",
        "Extension", "Sealing", "System",
    ].map { "ErrorCode+\($0).swift" }

    /// The directory of the errors in the project.
    package static let directory = "Sources/PushCryptCore/Errors"

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The contents of a file of codes.
    package static func source(_ file: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent("\(directory)/\(file)"), encoding: .utf8)
    }

    /// Returns the names of all files with codes in the directory.
    package static func filesInDirectory() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(directory).path)
        return Set(names.filter { $0.hasPrefix("ErrorCode+") })
    }

    /// Returns the codes of all files.
    package static func all() throws -> [DeclaredCode] {
        try files.flatMap { file in
            try source(file).matches(of: #/public static let (\w+) = Self\(rawValue: "([^"]*)"\)/#)
                .map {
                    DeclaredCode(name: String($0.1), word: String($0.2), file: file)
                }
        }
    }
}
