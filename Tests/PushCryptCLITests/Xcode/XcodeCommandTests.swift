import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// The command line of `xcode write` and `xcode check`.
@Suite(.toolThreads) struct XcodeCommandTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createServer()
    }

    private func write(_ options: String..., key: String = "server.jwk") throws -> Tool.Run {
        try tool.run(
            all: ["xcode", "write", "--bundle-id", "com.example.app", "--signed-by", key] + options)
    }

    private func files(_ directory: String = "project") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: tool.path(directory)).filter {
            $0.contains(".")
        }.sorted()
    }

    private func list(_ path: String) throws -> NSDictionary {
        let data = try Data(contentsOf: URL(fileURLWithPath: tool.path(path)))
        let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [String: Any]) as NSDictionary
    }

    @Test("A directory gets the five files, which the check accepts") func aDirectoryGetsTheFiles()
        throws
    {
        let run = try write("-o", "project")
        #expect(
            run.status == 0 && run.output.isEmpty && run.errors.contains("only one root is pinned"))
        #expect(
            try files() == [
                "App-Info.plist", "App/App.entitlements", "NotificationService/Info.plist",
                "NotificationService/NotificationService.entitlements",
                "NotificationService/NotificationService.swift",
            ])
        let key = try VerificationKey(parsing: try tool.read("server.jwk"))
        let settings = [
            "PushCryptAppGroup": "group.com.example.app",
            "PushCryptKeychainGroup": "$(AppIdentifierPrefix)com.example.app.shared",
            "PushCryptServerKey": Base64URL.encode(key.rawRepresentation),
        ]
        #expect(try list("project/App-Info.plist") == settings as NSDictionary)
        #expect(try list("project/NotificationService/Info.plist").allKeys.count == 4)
        #expect(
            try list("project/App/App.entitlements")["aps-environment"] as? String == "development")
        let check = try tool.run("xcode", "check", "project")
        #expect(
            check.status == 0 && check.output.isEmpty
                && check.errors == "pushcrypt: hint: no problems\n")
    }

    @Test("Standard output gets each file after its path") func standardOutputGetsEachFile() throws
    {
        let run = try write("--background", "--app", "Mail")
        #expect(run.status == 0)
        let headings = run.text.split(separator: "\n").filter { $0.hasPrefix("==>") }
        #expect(headings.count == 5 && headings.contains("==> Mail/Mail.entitlements <=="))
        _ = try write("--background", "--app", "Mail", "-o", "project")
        for path in try files() {
            #expect(run.text.contains("==> \(path) <==\n\(try tool.read("project/\(path)"))\n"))
        }
        #expect(
            try list("project/Mail-Info.plist")["UIBackgroundModes"] as? [String] == [
                "remote-notification"
            ])
    }

    @Test("The hosts of attachments are in the extension's Info.plist only", .thorough)
    func attachmentHosts() throws {
        #expect(try write("-o", "project", "--attachment-host", "a.example").status == 0)
        let path = "NotificationService/Info.plist"
        #expect(try list("project/\(path)")["PushCryptAttachmentHosts"] as? String == "a.example")
        #expect(try list("project/App-Info.plist")["PushCryptAttachmentHosts"] == nil)
        #expect(
            try write(
                "-o", "more", "--attachment-host", "a.example", "--attachment-host", "b.example"
            ).status == 0)
        #expect(
            try list("more/\(path)")["PushCryptAttachmentHosts"] as? [String] == [
                "a.example", "b.example",
            ])
        #expect(try tool.run("xcode", "check", "more").status == 0)
        for host in ["https://a.example", "a.example:443", "a.example/b", ""] {
            let run = try write("-o", "none", "--attachment-host", host)
            #expect(run.status == 64 && run.errors.contains("'--attachment-host'"), "\(run.errors)")
        }
    }

    @Test("Groups are options") func groupsAreOptions() throws {
        #expect(
            try write(
                "-o", "project", "--app-group", "group.a", "--keychain-group", "com.example.keys"
            ).status == 0)
        for path in ["App/App", "NotificationService/NotificationService"] {
            let rights = try list("project/\(path).entitlements")
            #expect(rights["com.apple.security.application-groups"] as? [String] == ["group.a"])
            #expect(
                rights["keychain-access-groups"] as? [String] == [
                    "$(AppIdentifierPrefix)com.example.keys"
                ])
        }
    }

    @Test("An existing file is not overwritten, and nothing is written") func anExistingFileIsKept()
        throws
    {
        for path in ["project/NotificationService/Info.plist", "project/App-Info.plist"] {
            let directory = URL(fileURLWithPath: tool.path(path)).deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            try tool.write("own", to: path)
            let run = try write("-o", "project")
            #expect(
                run.status == 1 && run.errors.contains("\(path) exists.")
                    && run.errors.contains("[file-exists]"))
            #expect(try files() == [String(path.dropFirst(8))])
            let forced = try write("-o", "project", "--force")
            #expect(forced.status == 65 && forced.errors.contains("isn't a property list"))
            #expect(try files() == [String(path.dropFirst(8))] && tool.read(path) == "own")
            try FileManager.default.removeItem(atPath: tool.path("project"))
        }
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("App-Info.plist"), withDestinationPath: "nowhere")
        #expect(try write("-o", ".").status == 1)
    }

    @Test(
        "A wrong option is wrong usage", .thorough,
        arguments: [
            ["--app-group", "com.example.app"], ["--app-group", "group.<a>"],
            ["--keychain-group", "a b"],
            ["--keychain-group", "$(AppIdentifierPrefix)a"], ["--app", "../App"], ["--app", ""],
            ["--bundle-id", "a..b"],
            ["--bundle-id", "com.example.*"], ["-o", ""], ["extra"],
        ])
    func aWrongOptionIsWrongUsage(_ options: [String]) throws {
        let run = try tool.run(
            all: ["xcode", "write", "--bundle-id", "com.example.app", "--signed-by", "server.jwk"]
                + options)
        #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    }

    @Test("Only a verification key is accepted") func onlyAVerificationKeyIsAccepted() throws {
        try tool.createDevice()
        #expect(try write(key: "device.jwk").status == 1)
        #expect(try write(key: "nosuch.jwk").status == 1)
        let run = try write(key: try tool.read("server.jwks"))
        #expect(run.status == 64 && run.errors.contains("compromised"))
        #expect(try write(key: "server.jwks").text.contains("PushCryptServerKey"))
    }

    @Test("Mistakes are lines, or an array") func mistakesAreLines() throws {
        #expect(try write("-o", "project").status == 0)
        let path = "project/NotificationService/Info.plist"
        try tool.write(try tool.read(path).replacing(".service<", with: ".other<"), to: path)
        let run = try tool.run("xcode", "check", "project")
        #expect(run.status == 65 && run.errors.isEmpty)
        #expect(
            run.text == """
                error: NotificationService/Info.plist: NSExtensionPointIdentifier: The extension \
                point is missing or wrong. \
                Set it to com.apple.usernotifications.service. [extension-point]

                """)
        let json = try tool.run("xcode", "check", "--json", "project")
        #expect(json.status == 65)
        let findings = try JSONDecoder().decode([[String: String]].self, from: json.output)
        #expect(findings.map { $0["rule"] } == ["extension-point"])
        #expect(findings.first?["fix"] == "Set it to com.apple.usernotifications.service.")
        #expect(
            findings.first?["location"]
                == "NotificationService/Info.plist: NSExtensionPointIdentifier")
    }

    @Test("A payload without mutable-content is a mistake") func aPayloadIsChecked() throws {
        #expect(try write("-o", "project").status == 0)
        let push = try Sealer(.anonymous)
            .seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: TestKeys.device().publicKey)
        let text = String(decoding: push.payload, as: UTF8.self)
        try tool.write(text, to: "sealed.json")
        #expect(try tool.run("xcode", "check", "--payload", "sealed.json", "project").status == 0)
        try tool.write(text.replacing(#","mutable-content":1"#, with: ""), to: "sealed.json")
        let run = try tool.run("xcode", "check", "--payload", "sealed.json", "--json", "project")
        #expect(run.status == 65)
        let findings = try JSONDecoder().decode([[String: String]].self, from: run.output)
        #expect(findings.map { $0["rule"] } == ["mutable-content-missing"])
        let none = try tool.run("xcode", "check", "--json", "project").output
        #expect(try JSONDecoder().decode([String].self, from: none) == [])
    }

    @Test("A missing directory is a failure") func aMissingDirectoryIsAFailure() throws {
        #expect(try tool.run("xcode", "check", "nosuch").status == 1)
        #expect(try tool.run("xcode", "check", "server.jwk").status == 1)
        let run = try tool.run("xcode", "check")
        #expect(run.status == 65)
        #expect(run.text.contains("[extension-missing]") && run.text.contains("server.jwks: "))
        #expect(try !run.text.contains(tool.read("server.jwks").suffix(40)))
    }

    @Test("A name can't pretend to be another line") func aNameIsEscaped() throws {
        try tool.createServer()
        try FileManager.default.copyItem(
            atPath: tool.path("server.jwks"), toPath: tool.path("a\nerror: b\u{1B}[2J.jwks"))
        let run = try tool.run("xcode", "check")
        #expect(run.text.split(separator: "\n").count == 3 && !run.text.contains("\u{1B}"))
    }
}
