import Foundation

/// The stand-ins' sources.
enum StandIns {
    static let frameworks = ["UserNotifications", "UserNotificationsUI", "PushKit"]

    /// What only Docs/Examples is compiled against: no product needs it, and no list holds it.
    static let frameworksOfTheExamples = ["UIKit"]

    /// This folder.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The sources of a framework's stand-ins.
    static func sources(of framework: String) throws -> [String] {
        let shims = folder.appendingPathComponent("../../Shims/\(framework)").standardizedFileURL
        return try FileManager.default.subpathsOfDirectory(atPath: shims.path).filter { $0.hasSuffix(".swift") }
            .sorted()
            .map { String(decoding: try Data(contentsOf: shims.appendingPathComponent($0)), as: UTF8.self) }
    }
}
