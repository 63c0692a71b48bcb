import Foundation

/// A folder of its own for one test, removed when it goes.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/pushcrypt-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A path in the folder.
    func file(_ name: String = "ring.jwks") -> String {
        path + "/" + name
    }

    /// The names of all files in the folder, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes a file.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String = "ring.jwks", mode: Int = 0o600) -> String {
        let path = file(name)
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(bytes), attributes: [.posixPermissions: NSNumber(value: mode)])
        return path
    }

    /// What is in a file.
    func contents(of name: String = "ring.jwks") -> [UInt8]? {
        FileManager.default.contents(atPath: file(name)).map(Array.init)
    }

    /// Who may use a file.
    func mode(of name: String = "ring.jwks") -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
