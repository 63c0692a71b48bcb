import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

/// Commands that read a keyring accept a mounted secret with `--mounted`, and services follow a
/// rotation.
@Suite(.toolThreads, .thorough) struct MountedSecretTests {
    private let tool: Tool
    private static let payload = #"{"aps":{"alert":"a"}}"#

    init() throws {
        tool = try Tool()
        for (name, key) in [
            ("device", try tool.createDevice().jwk), ("server", try tool.createServer().jwk),
        ] {
            try mount("\(name).jwks", as: name)
            #expect(key.hasPrefix("{"))
        }
    }

    /// Mounts a file under a name, as a container platform does: two links, and a file that its
    /// group may read.
    private func mount(_ file: String, as name: String) throws {
        let (manager, directory) = (FileManager.default, tool.path("mount-\(name)"))
        try manager.createDirectory(
            atPath: "\(directory)/..version", withIntermediateDirectories: true)
        try manager.copyItem(atPath: tool.path(file), toPath: "\(directory)/..version/file")
        try tool.setMode(0o440, of: "mount-\(name)/..version/file")
        try manager.createSymbolicLink(
            atPath: "\(directory)/..data", withDestinationPath: "..version")
        try manager.createSymbolicLink(
            atPath: "\(directory)/file", withDestinationPath: "..data/file")
        try tool.setMode(0o777, of: "mount-\(name)")
    }

    @Test("Each command that reads a keyring accepts a mounted secret, and writes nothing")
    func reading() throws {
        let (device, server) = ("mount-device/file", "mount-server/file")
        let seal = ["seal", "--to", "device.jwk", "--sign-with", server]
        let sealed = try tool.run(all: seal + ["--mounted"], input: Self.payload)
        #expect(sealed.status == 0, "\(sealed.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.path("mount-device"))
        for command in [
            ["open", "--signed-by", "server.jwk"], ["preview", "--anyone"], ["keys", "list"],
            ["keys", "public"],
            ["keys", "check"],
        ] {
            let arguments = command + ["--keyring", device]
            let run = try tool.run(all: arguments + ["--mounted"], input: sealed.text)
            #expect(run.status == 0, "\(command): \(run.errors)")
            let refused = try tool.run(all: arguments, input: sealed.text)
            #expect(refused.status == (command == ["keys", "check"] ? 65 : 1), "\(command)")
            #expect(refused.errors.contains("[insecure-file]"), "\(command): \(refused.errors)")
        }
        #expect(try tool.run(all: seal, input: Self.payload).errors.contains("[insecure-file]"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: tool.path("mount-device")) == names)
    }

    @Test(
        "Commands that write a keyring don't know mounted secrets",
        arguments: [
            ["keygen"], ["keys", "promote"], ["keys", "retire"], ["keys", "prune"],
            ["keys", "passphrase"],
        ])
    func writing(_ command: [String]) throws {
        let run = try tool.run(all: command + ["--mounted", "--keyring", "mount-server/file"])
        #expect(run.status == 64 && run.errors.contains("--mounted"), "\(run.errors)")
    }

    @Test("The passphrase of a mounted secret can be mounted too") func mountedPassphrase() throws {
        try tool.createKeyring("own.jwks", of: SigningKey.self)
        try tool.protect("own.jwks", with: "secret", SigningKey.self)
        try tool.write("secret\n", to: "passphrase")
        for (file, name) in [("own.jwks", "own"), ("passphrase", "passphrase")] {
            try mount(file, as: name)
        }
        let list = [
            "keys", "list", "--keyring", "mount-own/file", "--passphrase-file",
            "mount-passphrase/file",
        ]
        #expect(try tool.run(all: list + ["--mounted"]).text.contains("sig  primary"))
        let useless = try tool.run(
            "seal", "--to", "device.jwk", "--anonymous", "--mounted", input: Self.payload)
        #expect(
            useless.status == 64 && useless.errors.contains("'--sign-with'"), "\(useless.errors)")
    }

    @Test("A service follows the rotations of keygen while many threads read") func rotation()
        throws
    {
        let errors = LockedValue<[PushCryptError]>([])
        let file = KeyringFile<SigningKey>(path: tool.path("server.jwks"))
        let source = try KeyringSource(file, interval: 0.01) { error in
            errors.withLock { $0.append(error) }
        }
        let seen = LockedValue<[VerificationKey]>([try source.primaryKey.publicKey])
        let isDone = LockedValue(false)
        let readers = DispatchGroup()
        for _ in 0..<4 {
            readers.enter()
            Thread {
                while !isDone.withLock({ $0 }) {
                    let key = try? source.primaryKey.publicKey
                    seen.withLock { if let key, !$0.contains(key) { $0.append(key) } }
                    usleep(200)
                }
                readers.leave()
            }.start()
        }
        var rotated = seen.withLock { $0 }
        for _ in 0..<4 {
            let run = try tool.run("keygen", "--now", "--keyring", "server.jwks")
            rotated.append(try VerificationKey(parsing: run.text))
            // On a busy machine, the next look may be late.
            for _ in 0..<3000 where try source.primaryKey.publicKey != rotated.last { usleep(1000) }
        }
        isDone.withLock { $0 = true }
        readers.wait()
        #expect(seen.withLock { $0 } == rotated)
        #expect(errors.withLock { $0 }.isEmpty)
    }
}
