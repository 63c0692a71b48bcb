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
    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file.
    func write(_ bytes: [UInt8], to name: String) {
        _ = FileManager.default.createFile(atPath: file(name), contents: Data(bytes))
    }

    /// What is in a file; nothing where it is not there.
    func contents(of name: String) -> [UInt8] {
        FileManager.default.contents(atPath: file(name)).map(Array.init) ?? []
    }
}
