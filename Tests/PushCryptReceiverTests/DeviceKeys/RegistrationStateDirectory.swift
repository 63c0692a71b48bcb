import Foundation

/// A directory for an installation's state, which is deleted with the test.
final class RegistrationStateDirectory: Sendable {
    let path: String

    init() throws {
        // Each change syncs the file, which is fast in memory.
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/pushcrypt-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of the file.
    var file: String { path + "/pushcrypt.device" }

    /// The contents of the file; `nil` if it's missing.
    var contents: [UInt8]? { FileManager.default.contents(atPath: file).map(Array.init) }

    /// Writes the file, or deletes it.
    func put(_ contents: [UInt8]?, mode: Int = 0o600) throws {
        try? FileManager.default.removeItem(atPath: file)
        guard let contents else { return }
        try Data(contents).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }
}
