import Foundation
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Errors name the file that is wrong, and name it once.
@Suite(.toolThreads, .thorough) struct KeyringMessageTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createKeyring("ring.jwks", of: RecipientPrivateKey.self)
        try tool.protect("ring.jwks", with: "secret", RecipientPrivateKey.self)
    }

    private func expect(
        _ arguments: [String], _ error: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let run = try tool.run(all: arguments)
        #expect(run.errors == "pushcrypt: error: \(error)\n", sourceLocation: sourceLocation)
        #expect(run.output.isEmpty && run.status == 1, sourceLocation: sourceLocation)
    }

    @Test("A missing or linked keyring is named once") func keyring() throws {
        let create =
            "does not exist. Name your keyring, restore it, or create one with 'pushcrypt keygen'. [file-not-found]"
        try expect(["keys", "list", "--keyring", "no.jwks"], "keyring no.jwks \(create)")
        try expect(["open", "--anyone", "--keyring", "no.jwks"], "keyring no.jwks \(create)")
        try expect(
            ["open", "--anyone", "--keyring", "no/no.jwks"], "keyring no/no.jwks \(create)")
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("link"), withDestinationPath: "ring.jwks")
        try expect(
            ["keys", "list", "--keyring", "link"],
            """
            keyring link is a symbolic link. Name the file itself. Read a mounted secret with \
            --mounted or isMounted. [insecure-file]
            """)
    }

    @Test("The passphrase's error names the file of the passphrase") func passphrase() throws {
        let list = ["keys", "list", "--keyring", "ring.jwks", "--passphrase-file"]
        try expect(
            list + ["no"], "--passphrase-file no does not exist. Check the path. [file-not-found]")
        try tool.write("\n", to: "empty", mode: 0o600)
        try expect(
            list + ["empty"],
            "--passphrase-file empty: The passphrase is empty. Enter at least one character. [passphrase-required]"
        )
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("link"), withDestinationPath: "empty")
        try expect(
            list + ["link"],
            """
            --passphrase-file link is a symbolic link. Name the file itself. Read a mounted secret \
            with --mounted or isMounted. [insecure-file]
            """)
        try tool.write(
            #"{"kty":"OKP","crv":"X25519","x":"\#(String(repeating: "A", count: 43))"}"#,
            to: "public")
        try expect(
            list + ["public"],
            "--passphrase-file: Other users can access the secrets in public. Run: chmod 600 public [insecure-file]"
        )
    }

    @Test("The lock's error names the lock") func lock() throws {
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("new.jwks.lock"), withDestinationPath: "ring.jwks")
        let run = try tool.run("keygen", "--keyring", "new.jwks")
        #expect(
            run.status == 1 && run.errors.contains("error: keyring: new.jwks.lock is a symbolic"),
            "\(run.errors)")
        #expect(unsafe unlink(tool.path("new.jwks.lock")) == 0)
        #expect(unsafe mkfifo(tool.path("new.jwks.lock"), 0o600) == 0)
        try expect(
            ["keygen", "--keyring", "new.jwks"],
            "keyring: new.jwks.lock isn't a regular file of this user with one name. Remove it. [insecure-file]"
        )
    }

    @Test(
        "A pipe that no process writes to is empty, and a slow writer is awaited",
        .timeLimit(.minutes(20)))
    func pipes() throws {
        #expect(unsafe mkfifo(tool.path("pipe"), 0o600) == 0)
        for command in [
            ["lint", "pipe"], ["inspect", "pipe"], ["seal", "--anonymous", "--to", "pipe"],
        ] {
            let run = try tool.run(all: command)
            #expect(!run.wasKilled && run.status != 0 && run.output.isEmpty, "\(run.errors)")
        }
        let script =
            #"exec 3<> pipe; "$@" 3>&- & sleep $0; echo '{"aps":{"alert":"a"}}' >&3; exec 3>&-; wait $!"#
        var run: Tool.Run?
        // On a slow machine, the first writers have ended before the tool begins.
        for delay in ["0.2", "3", "45"] where run?.status != 0 {
            run = try tool.run(all: ["lint", "pipe"], through: ["/bin/sh", "-c", script, delay])
        }
        #expect(run?.status == 0, "\(run?.errors ?? "")")
    }

    @Test("A limit of the file size is an error, and the keyring stays") func fileSizeLimit() throws
    {
        let file = KeyringFile<RecipientPrivateKey>(path: tool.path("large.jwks"))
        for _ in 0..<12 { _ = try file.createOrRotate(at: Date()) }
        let before = try tool.read("large.jwks")
        #expect(before.utf8.count > 2048)
        // The tool inherits an ignored signal, which would hide that the tool does not ignore it.
        _ = signal(SIGXFSZ, SIG_DFL)
        let run = try tool.run(
            all: ["keygen", "--keyring", "large.jwks"],
            through: ["/bin/sh", "-c", #"ulimit -f 2; exec "$@""#, "sh"])
        #expect(!run.wasKilled && run.status == 1)
        #expect(
            run.errors.contains("the file would be too large")
                && run.errors.contains("[file-system-error]"))
        #expect(try tool.read("large.jwks") == before)
        #expect(try tool.names.filter { $0.hasSuffix(".tmp") }.isEmpty)
    }
}
