internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The files of a directory that decide whether an extension opens pushes, by their paths in it.
struct XcodeProject {
    private(set) var lists: [String: PropertyList] = [:]
    private(set) var code: [String: String] = [:]
    private(set) var projects: [String: String] = [:]
    private(set) var privateKeys: [String] = []

    /// Reads a directory, without following links in it.
    init(_ directory: String) throws(PushCryptError) {
        let root = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
        _ = try FileDescriptor(root, O_RDONLY | O_DIRECTORY, for: directory)
        let files = FileManager.default.enumerator(atPath: root)
        while let files, let path = files.nextObject() as? String {
            let file = "\(root)/\(path)"
            let attributes = files.fileAttributes ?? [:]
            // A package in the project has no extension of the project.
            let isSkipped = path.contains(
                /(^|\/)(\.[^\/]*|Pods|Carthage|DerivedData|node_modules|build|[^\/]*work)$/)
            if isSkipped || files.level > 12
                || FileManager.default.fileExists(atPath: "\(file)/Package.swift")
            {
                files.skipDescendants()
            } else if attributes[.type] as? FileAttributeType == .typeRegular,
                let size = attributes[.size] as? NSNumber, size.intValue < 1 << 24
            {
                read(path, file)
            }
        }
    }

    private mutating func read(_ path: String, _ file: String) {
        var data: Data { FileManager.default.contents(atPath: file) ?? Data() }
        switch path.split(separator: ".").last {
        case "plist", "entitlements": lists[path] = PropertyList(parsing: data)
        case "swift": code[path] = String(decoding: data, as: UTF8.self)
        case "pbxproj": projects[path] = String(decoding: data, as: UTF8.self)
        case "jwk", "jwks":
            let isPrivate = try? Input.read(file).withSpan {
                KeyMaterial.contains("\"d\"", $0) || ProtectedKeyring.isProtected($0)
            }
            if isPrivate == true { privateKeys.append(path) }
        default: break
        }
    }
}
