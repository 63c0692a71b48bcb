internal import Foundation

/// A file that the tool writes.
struct XcodeFile {
    /// The path in the app's directory.
    let path: String
    let text: String

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
    }
}

/// The settings and entitlements of an app and its notification service extension.
struct XcodeValues {
    /// One target.
    struct Target {
        let bundleID: String
        let infoPlist: [String: Any]
        let entitlements: [String: Any]
    }

    /// The name of the app's directory.
    let name: String
    let app: Target
    let service: Target

    /// Returns the files of the app and its extension.
    func contents() throws -> [XcodeFile] {
        let directory = XcodeFiles.service
        return [
            XcodeFile("\(directory)/\(directory).swift", XcodeFiles.source),
            XcodeFile("\(directory)/Info.plist", try Self.xml(service.infoPlist)),
            XcodeFile("\(directory)/\(directory).entitlements", try Self.xml(service.entitlements)),
            XcodeFile("\(name)/\(name).entitlements", try Self.xml(app.entitlements)),
            XcodeFile("\(name)-Info.plist", try Self.xml(app.infoPlist)),
        ]
    }

    /// Returns one JSON object with the values of both targets, and the files by their paths.
    func json(files: [XcodeFile]) throws -> String {
        let object: [String: Any] = [
            "app": Self.object(app),
            "extension": Self.object(service).merging(["name": XcodeFiles.service]) { $1 },
            "files": Dictionary(files.map { ($0.path, $0.text) }) { $1 },
        ]
        let data = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    private static func object(_ target: Target) -> [String: Any] {
        ["bundleID": target.bundleID, "infoPlist": target.infoPlist, "entitlements": target.entitlements]
    }

    private static func xml(_ list: [String: Any]) throws -> String {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        return String(decoding: data, as: UTF8.self)
    }
}
