import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The roots and the audience that `xcode write` and `xcode check` know.
@Suite(.toolThreads, .thorough) struct XcodeRootsTests {
    private let server: ServerDirectory

    init() throws {
        server = try ServerDirectory()
    }

    private func write(_ options: String...) throws -> Tool.Run {
        try server.tool.run(
            all: ["xcode", "write", "--bundle-id", "com.example.app", "--signed-by", "server.jwk"]
                + options)
    }

    private func member(_ key: String, of path: String) throws -> Any? {
        let data = try Data(contentsOf: URL(fileURLWithPath: server.tool.path(path)))
        return try
            unsafe (PropertyListSerialization.propertyList(from: data, format: nil)
            as? [String: Any])?[key]
    }

    @Test("Roots come before the server's keys, and the audience is a string in both targets")
    func roots() throws {
        let run = try write("--root", "root.jwk", "--audience", "test", "-o", "project")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let keys = [server.root, server.first].map { Base64URL.encode($0.rawRepresentation) }
        for path in ["project/App-Info.plist", "project/NotificationService/Info.plist"] {
            #expect(try member("PushCryptServerKey", of: path) as? [String] == keys)
            #expect(try member("PushCryptAudience", of: path) as? String == "test")
        }
        #expect(try server.tool.run("xcode", "check", "project").status == 0)
        #expect(try write("--audience", "").status == 64)
    }

    @Test("A single root gets a hint, and a missing file the command that creates it") func hints()
        throws
    {
        let single = try write()
        #expect(
            single.status == 0
                && single.errors.contains("hint: only one root is pinned: add an offline root"))
        // The same key twice is one root.
        #expect(try write("--root", "server.jwk").errors.contains("only one root"))
        let missing = try write("--root", "none.jwk", "-o", "project")
        #expect(missing.status == 1 && missing.output.isEmpty)
        #expect(
            missing.errors.contains(
                "--root none.jwk: The file doesn't exist. Create the root on a machine that stays offline"
            ))
        #expect(
            missing.errors.contains("pushcrypt keygen --use sig --keyring root.jwks > root.jwk"))
        #expect(try !server.tool.names.contains("project"))
    }

    @Test("The check finds roots and audiences that differ between the targets") func differences()
        throws
    {
        #expect(try write("--root", "root.jwk", "--audience", "test", "-o", "project").status == 0)
        let path = "project/App-Info.plist"
        let text = try server.tool.read(path)
        let keys = [server.root, server.first].map { Base64URL.encode($0.rawRepresentation) }
        let swapped = text.replacing(keys[0], with: "FIRST").replacing(keys[1], with: keys[0])
            .replacing("FIRST", with: keys[1])
        for (changed, rule) in [
            (
                text.replacing("<string>test</string>", with: "<string>other</string>"),
                "audience-differs"
            ),
            (swapped, "server-key-differs"),
        ] {
            try server.tool.write(changed, to: path)
            let run = try server.tool.run("xcode", "check", "project")
            #expect(run.status == 65 && run.text.contains(rule), "\(run.text)")
        }
    }
}
