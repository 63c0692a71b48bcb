import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// `pushcrypt xcode write` for frameworks and other carriers.
@Suite(.toolThreads, .thorough) struct XcodeFrameworkTests {
    private static let package = "https://git.example.com/team/pushcrypt.git"

    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createServer()
    }

    private func write(_ options: String...) throws -> Tool.Run {
        try tool.run(
            all: ["xcode", "write", "--bundle-id", "com.example.app", "--signed-by", "server.jwk"]
                + options)
    }

    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: tool.path("project")).sorted().filter {
            path in
            var isDirectory: ObjCBool = false
            let path = tool.path("project/\(path)")
            return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }

    @Test("One object has the files, and the settings and entitlements as values") func json()
        throws
    {
        let run = try write("--json", "--carrier", "expo", "--audience", "production")
        #expect(run.status == 0)
        let object = try JSONValue(parsing: Array(run.text.utf8))
        #expect(object["app"]?["bundleID"]?.stringValue == "com.example.app")
        #expect(object["app"]?["infoPlist"]?["PushCryptCarrier"]?.stringValue == "expo")
        #expect(object["app"]?["entitlements"]?["aps-environment"]?.stringValue == "development")
        let service = object["extension"]
        #expect(service?["bundleID"]?.stringValue == "com.example.app.NotificationService")
        #expect(service?["name"]?.stringValue == "NotificationService")
        #expect(service?["infoPlist"]?["PushCryptAudience"]?.stringValue == "production")
        #expect(service?["infoPlist"]?["NSExtension"] != nil)
        #expect(service?["entitlements"]?["aps-environment"] == nil)
        let files = try #require(object["files"]?.objectValue)
        #expect(
            try write("--carrier", "expo", "--audience", "production", "-o", "project").status == 0)
        #expect(try Set(self.files()) == Set(files.keys))
        for (path, text) in files {
            #expect(try tool.read("project/\(path)") == text.stringValue, "\(path)")
        }
    }

    @Test("The carrier is in both Info.plists, and the check accepts it") func carrier() throws {
        #expect(try write("--carrier", "onesignal", "-o", "project").status == 0)
        for path in ["App-Info.plist", "NotificationService/Info.plist"] {
            #expect(try tool.read("project/\(path)").contains("<string>onesignal</string>"))
        }
        #expect(try tool.run("xcode", "check", "project").status == 0)
        let info = "project/NotificationService/Info.plist"
        try tool.write(tool.read(info).replacing("onesignal", with: "firebase"), to: info)
        #expect(try tool.run("xcode", "check", "project").text.contains("carrier-differs"))
        try tool.write(tool.read(info).replacing("firebase", with: "fcm"), to: info)
        #expect(try tool.run("xcode", "check", "project").text.contains("carrier-unknown"))
        #expect(try write("--carrier", "fcm").status == 64)
    }

    @Test(
        "Each framework gets its module, which names the package",
        arguments: [
            (
                "--expo",
                [
                    "modules/pushcrypt/ios/PushCryptExpo.podspec", "plugins/with-pushcrypt.js",
                    "pushcrypt.json",
                ]
            ),
            (
                "--react-native",
                [
                    "ios/NotificationService/Info.plist",
                    "modules/pushcrypt/react-native-pushcrypt-local.podspec",
                ]
            ),
            (
                "--flutter",
                [
                    "ios/NotificationService/Info.plist",
                    "packages/pushcrypt_flutter/ios/pushcrypt_flutter/Package.swift",
                ]
            ),
            ("--objective-c", ["App/PushCryptObjC.swift", "NotificationService/Info.plist"]),
        ])
    func framework(flag: String, expected: [String]) throws {
        let package = flag == "--objective-c" ? [] : ["--package", Self.package]
        let options = [flag, "-o", "project"] + package
        let arguments =
            ["xcode", "write", "--bundle-id", "com.example.app", "--signed-by", "server.jwk"]
            + options
        #expect(try tool.run(all: arguments).status == 0)
        let files = try files()
        #expect(Set(files).isSuperset(of: expected), "\(files)")
        #expect(files.contains { $0.hasSuffix("/PushCryptBridge.swift") })
        for path in files {
            let text = try tool.read("project/\(path)")
            #expect(
                !text.contains("PACKAGE_") && !text.contains("(PACKAGE)") && !text.isEmpty,
                "\(path)")
        }
        let named = try files.filter { try tool.read("project/\($0)").contains(Self.package) }
        #expect(named.count == package.count / 2)
        #expect(try tool.run(all: arguments).errors.contains("exists."))
    }

    @Test("Wrong combinations are named") func usage() throws {
        for (options, text) in [
            (["--expo"], "Give '--package URL'"), (["--package", Self.package], "Remove it"),
            (["--expo", "--flutter", "--package", Self.package], "--flutter"),
            (["--expo", "--package", "../pushcrypt"], "isn't a URL"),
            (["--json", "-o", "project"], "Remove '--output'"),
        ] {
            let run = try tool.run(
                all: [
                    "xcode", "write", "--bundle-id", "com.example.app", "--signed-by", "server.jwk",
                ] + options)
            #expect(run.status == 64 && run.errors.contains(text), "\(options) \(run.errors)")
        }
    }
}
