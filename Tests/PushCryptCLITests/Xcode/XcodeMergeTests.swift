import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// `xcode write --force` in a project that has the files already.
@Suite(.toolThreads, .thorough) struct XcodeMergeTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createServer()
    }

    private func write(_ options: String..., key: String = "server.jwk") throws -> Tool.Run {
        try tool.run(
            all: [
                "xcode", "write", "--bundle-id", "com.example.app", "--signed-by", key, "-o",
                "project",
            ] + options)
    }

    private func list(_ path: String) throws -> NSDictionary {
        let data = try Data(contentsOf: URL(fileURLWithPath: tool.path("project/\(path)")))
        let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [String: Any]) as NSDictionary
    }

    private func replace(_ path: String, by members: [String: Any]) throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: members, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: tool.path("project/\(path)")))
    }

    @Test("A second run replaces the keys, and keeps what the app has") func secondRun() throws {
        #expect(try write("--background", "--audience", "test").status == 0)
        let old = try #require(list("App-Info.plist")["PushCryptServerKey"] as? String)
        var info = try #require(list("App-Info.plist") as? [String: Any])
        info["CFBundleName"] = "Bank"
        info["UIBackgroundModes"] = ["audio", "remote-notification"]
        info["Nested"] =
            ["a": [1, 2], "date": Date(timeIntervalSince1970: 0), "data": Data([1])]
            as [String: Any]
        try replace("App-Info.plist", by: info)
        try tool.write("// changed", to: "project/NotificationService/NotificationService.swift")
        #expect(try tool.run("keygen", "--use", "sig", "--keyring", "new.jwks").status == 0)

        #expect(try write("--background", "--force", key: "new.jwks").status == 0)
        let merged = try list("App-Info.plist")
        #expect(merged["PushCryptServerKey"] as? String != old)
        #expect(merged["PushCryptAudience"] == nil, "an earlier setting isn't in force any more")
        #expect(merged["CFBundleName"] as? String == "Bank")
        #expect(merged["UIBackgroundModes"] as? [String] == ["audio", "remote-notification"])
        #expect(merged["Nested"] as? NSDictionary == info["Nested"] as? NSDictionary)
        #expect(
            try !tool.read("project/NotificationService/NotificationService.swift").contains(
                "changed"))
        #expect(try tool.run("xcode", "check", "project").status == 0)
    }

    @Test("Two runs with the same options write the same files") func idempotent() throws {
        #expect(try write().status == 0)
        let paths = [
            "App-Info.plist", "App/App.entitlements", "NotificationService/Info.plist",
            "NotificationService/NotificationService.entitlements",
        ]
        let before = try paths.map(list)
        #expect(try write("--force").status == 0)
        #expect(try paths.map(list) == before)
    }

    @Test("The groups and the environment of an app stay") func entitlements() throws {
        let path = "App/App.entitlements"
        try FileManager.default.createDirectory(
            atPath: tool.path("project/App"), withIntermediateDirectories: true)
        try replace(
            path,
            by: [
                "aps-environment": "production",
                "com.apple.security.application-groups": ["group.other"],
                "com.apple.developer.siri": true,
            ])
        #expect(try write("--force").status == 0)
        let merged = try list(path)
        #expect(merged["aps-environment"] as? String == "production")
        #expect(
            merged["com.apple.security.application-groups"] as? [String] == [
                "group.other", "group.com.example.app",
            ])
        #expect(merged["com.apple.developer.siri"] as? Bool == true)
        #expect(merged["keychain-access-groups"] != nil)
    }

    @Test("The extension's own members stay") func nestedMembers() throws {
        try FileManager.default.createDirectory(
            atPath: tool.path("project/NotificationService"), withIntermediateDirectories: true)
        try replace(
            "NotificationService/Info.plist",
            by: [
                "NSExtension": [
                    "NSExtensionAttributes": ["a": true], "NSExtensionPrincipalClass": "Old",
                ]
            ])
        #expect(try write("--force").status == 0)
        let members = try #require(
            list("NotificationService/Info.plist")["NSExtension"] as? [String: Any])
        #expect(members["NSExtensionAttributes"] as? [String: Bool] == ["a": true])
        #expect(
            members["NSExtensionPrincipalClass"] as? String
                == "$(PRODUCT_MODULE_NAME).NotificationService")
        // Another class of the target is the developer's choice.
        let own = "$(PRODUCT_MODULE_NAME).CommunicationNotificationService"
        try replace(
            "NotificationService/Info.plist",
            by: ["NSExtension": ["NSExtensionPrincipalClass": own]])
        #expect(try write("--force").status == 0)
        let kept = try #require(
            list("NotificationService/Info.plist")["NSExtension"] as? NSDictionary)
        #expect(kept["NSExtensionPrincipalClass"] as? String == own)
    }
}
