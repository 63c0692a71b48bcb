// For this project's own tests, as all of this folder.
internal import Foundation

/// A folder of its own for one test, removed when it goes.
package final class Scratch: Sendable {
    /// Where it is.
    package let path: String
    private let isOwn: Bool

    /// Makes the folder.
    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/pushcrypt-" + UUID().uuidString
        isOwn = true
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Uses a folder that somebody else removes, as another process of a test does.
    package init(at path: String) {
        self.path = path
        isOwn = false
    }

    deinit {
        if isOwn { try? FileManager.default.removeItem(atPath: path) }
    }

    /// A path in the folder.
    package func file(_ name: String = "ring.jwks") -> String {
        path + "/" + name
    }

    /// The names of all files in the folder, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes a file.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String = "ring.jwks", mode: Int = 0o600) -> String {
        let path = file(name)
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(bytes), attributes: [.posixPermissions: NSNumber(value: mode)])
        return path
    }

    /// What is in a file.
    package func contents(of name: String = "ring.jwks") -> [UInt8]? {
        FileManager.default.contents(atPath: file(name)).map(Array.init)
    }

    /// Who may use a file.
    package func mode(of name: String = "ring.jwks") -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
