import Foundation

/// The list of what Apple's frameworks declare.
struct AppleDeclarationList {
    /// What is wrong with a list.
    enum Problem: Error, Equatable {
        case count(Int)
        case duplicate(String)
        case noDeclaration(String)
    }

    /// So many there are.
    ///
    /// Whoever adds to the list says so here, so that a list that was cut short is not believed.
    static let count = 80

    let declarations: [StandInDeclaration]

    /// Reads the list's file.
    init() throws {
        let file = StandIns.folder.appendingPathComponent("AppleDeclarations.txt")
        try self.init(String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    /// Reads a list.
    init(_ text: String) throws {
        var module = ""
        var owner = ""
        var found: [StandInDeclaration] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                module = String(line.dropFirst(2))
            } else if !module.isEmpty {
                let declared = Self.declared(line)
                guard !declared.kind.isEmpty else { throw Problem.noDeclaration(String(line)) }
                let isMember = line.hasPrefix(" ")
                if !isMember { owner = declared.name }
                if declared.kind == "extension" { continue }
                found.append(
                    StandInDeclaration(module: module, owner: isMember ? owner : "", text: declared.normal))
            }
        }
        for (index, one) in found.enumerated() where found[..<index].contains(one) {
            throw Problem.duplicate(one.description)
        }
        guard found.count == Self.count else { throw Problem.count(found.count) }
        declarations = found
    }

    /// A line, of which `optional` is the list's and `{ get set }` is a body.
    static func declared(_ line: some StringProtocol) -> DeclarationText {
        let parts = line.split(separator: " {", maxSplits: 1)
        return DeclarationText(String(parts[0]), body: parts.count > 1 ? String(parts[1]) : "")
    }
}
