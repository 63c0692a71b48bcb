internal import Foundation

/// A file that the tool writes.
struct XcodeFile {
    /// The path in the app's directory.
    let path: String
    let text: String

    /// The members of a property list; `nil` for any other file.
    let list: [String: Any]?

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        list = nil
    }

    /// Creates a property list.
    init(_ path: String, _ list: [String: Any]) throws {
        self.path = path
        self.list = list
        let data = try PropertyListSerialization.data(
            fromPropertyList: list, format: .xml, options: 0)
        text = String(decoding: data, as: UTF8.self)
    }

    /// Returns the file in another directory.
    func moved(into directory: String) throws -> XcodeFile {
        let path = "\(directory)/\(path)"
        return try list.map { try XcodeFile(path, $0) } ?? XcodeFile(path, text)
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
            try XcodeFile("\(directory)/Info.plist", service.infoPlist),
            try XcodeFile("\(directory)/\(directory).entitlements", service.entitlements),
            try XcodeFile("\(name)/\(name).entitlements", app.entitlements),
            try XcodeFile("\(name)-Info.plist", app.infoPlist),
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
        [
            "bundleID": target.bundleID, "infoPlist": target.infoPlist,
            "entitlements": target.entitlements,
        ]
    }
}
