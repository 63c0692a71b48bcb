import Foundation

/// A folder for an installation's notes, which goes with the test.
final class RegistrationStateDirectory: Sendable {
    let path: String

    init() throws {
        // Notes are synced with each change; where there is a folder in memory, thousands of them cost nothing.
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/pushcrypt-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The file itself.
    var file: String { path + "/pushcrypt.device" }

    /// What is in the file; `nil` where there is none.
    var contents: [UInt8]? { FileManager.default.contents(atPath: file).map(Array.init) }

    /// Puts something into the file, or takes it away.
    func put(_ contents: [UInt8]?, mode: Int = 0o600) throws {
        try? FileManager.default.removeItem(atPath: file)
        guard let contents else { return }
        try Data(contents).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }
}
