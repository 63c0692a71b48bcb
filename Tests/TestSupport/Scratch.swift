internal import Foundation

/// A temporary directory for one test, which is removed on deallocation.
package final class Scratch: Sendable {
    /// The path of the directory.
    package let path: String
    private let isOwn: Bool

    /// Creates the directory.
    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/pushcrypt-" + UUID().uuidString
        isOwn = true
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Uses a directory that another process of the test removes.
    package init(at path: String) {
        self.path = path
        isOwn = false
    }

    deinit {
        if isOwn { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Returns a path in the directory.
    package func file(_ name: String = "ring.jwks") -> String {
        path + "/" + name
    }

    /// The sorted names of all files in the directory.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes a file.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String = "ring.jwks", mode: Int = 0o600) -> String
    {
        let path = file(name)
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(bytes),
            attributes: [.posixPermissions: NSNumber(value: mode)])
        return path
    }

    /// Returns the contents of a file.
    package func contents(of name: String = "ring.jwks") -> [UInt8]? {
        FileManager.default.contents(atPath: file(name)).map(Array.init)
    }

    /// Returns the mode of a file.
    package func mode(of name: String = "ring.jwks") -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
