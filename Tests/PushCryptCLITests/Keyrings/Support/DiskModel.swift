import Foundation
import Testing

/// A file system that writes to the disk only on a sync, and so loses as much as possible with the
/// power.
///
/// It knows the system calls that the tool makes, and records an issue at any other call.
struct DiskModel {
    /// The kinds of loss.
    enum Loss: CaseIterable {
        /// Nothing that was not synced: files as of their last sync, names as of the last sync of
        /// their directory.
        case everythingUnsynced
        /// Names as they are, but of the files only what was synced: a name may come before the
        /// file's contents.
        case unsyncedContents
    }

    /// A file, or a directory that has names.
    private struct Node {
        var names: [String: Int]?
        var syncedNames: [String: Int] = [:]
        var contents: [UInt8] = []
        var syncedContents: [UInt8] = []
        /// A file's length changes without its contents.
        var wasEmptied = false
    }

    private struct OpenFile {
        let node: Int
        var position = 0
    }

    private var nodes = [Node(names: [:])]
    private var open: [Int: OpenFile] = [:]
    private let top: String

    /// A directory with files that are on the disk already.
    ///
    /// - Parameters:
    ///   - top: the directory's path, which paths may begin with.
    ///   - files: the files' contents.
    init(top: String, files: [String: [UInt8]]) {
        self.top = top
        for (name, contents) in files {
            let node = add(Node(contents: contents, syncedContents: contents))
            nodes[0].names?[name] = node
            nodes[0].syncedNames[name] = node
        }
    }

    // MARK: Calls

    /// Does what a call has done.
    ///
    /// One that failed has done nothing.
    mutating func apply(_ call: SystemCall) throws {
        guard let result = call.result, result >= 0 else { return }
        let paths = call.paths
        switch call.name {
        case "open", "openat":
            try openFile(try #require(paths.first), call.arguments, descriptor: result)
        case "close":
            open[try #require(call.descriptor)] = nil
        case "write":
            try write(
                try #require(call.strings.first).prefix(result), to: try #require(call.descriptor))
        case "fsync", "fdatasync":
            sync(try #require(call.descriptor))
        case "rename", "renameat", "renameat2":
            let (from, to) = (try place(paths[0]), try place(paths[1]))
            name(to, node(at: from))
            name(from, nil)
        case "link", "linkat":
            name(try place(paths[1]), node(at: try place(paths[0])))
        case "unlink", "unlinkat":
            name(try place(paths[0]), nil)
        case "mkdir", "mkdirat":
            name(try place(paths[0]), add(Node(names: [:])))
        case "fchmod", "chmod":
            // Modes are looked at elsewhere; here they are right.
            break
        default:
            Issue.record("the model does not know \(call)")
        }
    }

    /// The calls that ``apply(_:)`` knows, for the tracer.
    static let knownCalls = [
        "open", "openat", "close", "write", "fsync", "fdatasync", "rename", "renameat", "renameat2",
        "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "chmod", "fchmod",
    ]

    /// Calls that would change files and that it does not know, so that they are not overlooked.
    static let unknownCalls = [
        "creat", "pwrite64", "writev", "pwritev", "ftruncate", "truncate", "fallocate", "sendfile",
        "copy_file_range", "symlink", "symlinkat", "rmdir", "msync", "dup", "dup2", "dup3",
    ]

    private mutating func openFile(_ path: String, _ flags: String, descriptor: Int) throws {
        // The loader's libraries and the like.
        guard let place = try? place(path) else { return }
        if flags.contains("O_DIRECTORY"), let node = node(path) {
            open[descriptor] = OpenFile(node: node)
            return
        }
        let node = node(at: place) ?? add(Node())
        name(place, node)
        if flags.contains("O_TRUNC") {
            nodes[node].contents = []
            nodes[node].wasEmptied = true
        }
        open[descriptor] = OpenFile(
            node: node, position: flags.contains("O_APPEND") ? nodes[node].contents.count : 0)
    }

    private mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func name(_ place: Place, _ node: Int?) {
        nodes[place.directory].names?[place.name] = node
    }

    private func node(at place: Place) -> Int? { nodes[place.directory].names?[place.name] }

    private mutating func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int) throws {
        // Standard output and error are no files of this directory.
        guard let file = open[descriptor] else { return }
        let end = min(file.position + bytes.count, nodes[file.node].contents.count)
        nodes[file.node].contents.replaceSubrange(file.position..<end, with: bytes)
        open[descriptor]?.position += bytes.count
    }

    private mutating func sync(_ descriptor: Int) {
        guard let node = open[descriptor]?.node else { return }
        if let names = nodes[node].names { nodes[node].syncedNames = names }
        nodes[node].syncedContents = nodes[node].contents
        nodes[node].wasEmptied = false
    }

    // MARK: Paths

    /// The error for a path outside of the model.
    private struct Outside: Error {}

    private struct Place {
        let directory: Int
        let name: String
    }

    private func place(_ path: String) throws -> Place {
        let parts = try parts(path)
        var directory = 0
        for part in parts.dropLast() {
            guard let next = nodes[directory].names?[part], nodes[next].names != nil else {
                throw Outside()
            }
            directory = next
        }
        return Place(directory: directory, name: parts.last ?? ".")
    }

    private func node(_ path: String) -> Int? {
        guard let parts = try? parts(path) else { return nil }
        return parts.reduce(Optional(0)) { node, part in node.flatMap { nodes[$0].names?[part] } }
    }

    /// Returns the names below the top directory, and throws for a path elsewhere.
    private func parts(_ path: String) throws -> [String] {
        var path = path
        if path.hasPrefix("/") {
            guard path == top || path.hasPrefix(top + "/") else { throw Outside() }
            path.removeFirst(top.count)
        }
        return path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    // MARK: What is left

    /// Returns the files on the disk after a loss of power: paths and contents, and `nil` for
    /// directories.
    func left(after loss: Loss) -> [String: [UInt8]?] {
        left(in: 0, "", after: loss)
    }

    private func left(in directory: Int, _ path: String, after loss: Loss) -> [String: [UInt8]?] {
        var result: [String: [UInt8]?] = [:]
        let names =
            loss == .everythingUnsynced
            ? nodes[directory].syncedNames : nodes[directory].names ?? [:]
        for (name, number) in names {
            let node = nodes[number]
            if node.names != nil {
                result.updateValue(nil, forKey: path + name)
                result.merge(left(in: number, path + name + "/", after: loss)) { $1 }
            } else {
                let isEmpty = loss == .unsyncedContents && node.wasEmptied
                result[path + name] = isEmpty ? [] : node.syncedContents
            }
        }
        return result
    }
}
