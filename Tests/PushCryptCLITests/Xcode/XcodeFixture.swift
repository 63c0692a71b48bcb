import Foundation
import PushCryptTesting
import TestSupport

@testable import PushCryptCLI

/// A project that the tool has written, in a temporary directory, and changes of it.
struct XcodeFixture {
    static let service = "NotificationService/NotificationService.swift"
    static let info = "NotificationService/Info.plist"
    static let entitlements = "NotificationService/NotificationService.entitlements"
    static let app = "App/App.entitlements"
    static let appInfo = "App-Info.plist"
    static let project = "App.xcodeproj/project.pbxproj"
    static let testKey = "Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE"

    private static let written = Result {
        let tool = try Tool()
        let key = try SigningKey()
        let run = try tool.run(
            "xcode", "write", "--bundle-id", "com.example.app", "--output", "project",
            "--signed-by", key.publicKey.jwk)
        guard run.status == 0 else { throw CocoaError(.fileWriteUnknown) }
        let files = [service, info, entitlements, app, appInfo]
        return (key, try files.map { (path: $0, text: try tool.read("project/\($0)")) })
    }

    let scratch: Scratch
    let key: SigningKey

    /// Writes a right project.
    init(hasProject: Bool = false) throws {
        let written = try Self.written.get()
        scratch = try Scratch()
        key = written.0
        for (path, text) in written.1 { try write(text, to: path) }
        if hasProject { try write(XcodeProjectText.text, to: Self.project) }
    }

    func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

    func write(_ data: Data, to path: String) throws {
        let url = URL(fileURLWithPath: scratch.file(path))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    func text(_ path: String) throws -> String {
        String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: scratch.file(path))), as: UTF8.self)
    }

    /// Replaces a text that a file has.
    func replace(_ text: String, with other: String, in path: String) throws {
        let old = try self.text(path)
        guard old.contains(text) else { throw CocoaError(.fileReadCorruptFile) }
        try write(old.replacing(text, with: other), to: path)
    }

    /// Removes a member of a property list.
    func remove(_ key: String, from path: String) throws {
        let lines = try text(path).components(separatedBy: "\n")
        guard let start = lines.firstIndex(where: { $0.contains("<key>\(key)</key>") }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let isArray = lines[start + 1].contains("<array>")
        let end =
            isArray ? lines[start...].firstIndex { $0.contains("</array>") } ?? start : start + 1
        try write((lines[..<start] + lines[(end + 1)...]).joined(separator: "\n"), to: path)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: scratch.file(path))
    }

    /// Returns the findings, each with its rule and its location.
    func findings() throws -> [String] {
        XcodeCheck(try XcodeProject(scratch.path)).findings.map { "\($0.rule.id) \($0.location)" }
    }
}

/// The project file of an app with an extension, a framework and tests, as Xcode writes it.
enum XcodeProjectText {
    private static let targets: [(name: String, settings: [String: String])] = [
        ("Project", ["IPHONEOS_DEPLOYMENT_TARGET": "17.0", "SDKROOT": "iphoneos"]),
        (
            "App",
            [
                "CODE_SIGN_ENTITLEMENTS": "App/App.entitlements",
                "INFOPLIST_FILE": "\"App-Info.plist\"",
                "LD_RUNPATH_SEARCH_PATHS":
                    "(\n\t\t\t\t\t\"$(inherited)\",\n\t\t\t\t\t\"@executable_path/Frameworks\",\n\t\t\t\t)",
                "PRODUCT_BUNDLE_IDENTIFIER": "com.example.app",
                "PRODUCT_NAME": "\"$(TARGET_NAME)\"",
            ]
        ),
        (
            "NotificationService",
            [
                "CODE_SIGN_ENTITLEMENTS": "NotificationService/NotificationService.entitlements",
                "INFOPLIST_FILE": "\"$(SRCROOT)/NotificationService/Info.plist\"",
                "IPHONEOS_DEPLOYMENT_TARGET": "15.0",
                "PRODUCT_BUNDLE_IDENTIFIER": "com.example.app.NotificationService",
                "SKIP_INSTALL": "YES",
            ]
        ),
        (
            "AppUITests",
            ["PRODUCT_BUNDLE_IDENTIFIER": "com.example.AppUITests", "TEST_TARGET_NAME": "App"]
        ),
        ("Kit", ["PRODUCT_BUNDLE_IDENTIFIER": "com.example.Kit", "SKIP_INSTALL": "YES"]),
        (
            "AppTests",
            [
                "PRODUCT_BUNDLE_IDENTIFIER": "com.example.AppTests",
                "TEST_HOST": "\"$(BUILT_PRODUCTS_DIR)/App.app/App\"",
            ]
        ),
    ]

    static let text: String = {
        let configurations = targets.flatMap { name, settings in
            ["Debug", "Release"].map { configuration in
                let lines = settings.sorted { $0.key < $1.key }.map {
                    "\t\t\t\t\($0.key) = \($0.value);\n"
                }.joined()
                return
                    "\t\t\(name)\(configuration) /* \(configuration) */ = {\n\t\t\tisa = XCBuildConfiguration;\n"
                    + "\t\t\tbuildSettings = {\n\(lines)\t\t\t};\n\t\t\tname = \(configuration);\n\t\t};\n"
            }
        }
        return
            "// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tobjects = {\n\n\(configurations.joined())\t};\n}\n"
    }()
}
