import Foundation
import SwiftSyntax

/// The constants of error codes, and the rule that a client can write every code that public documentation names.
struct ErrorCodes {
    /// The names of constants that a client can't write.
    private var hidden: Set<String> = []
    private var open: Set<String> = []

    init(in files: [SourceFile]) {
        for file in files {
            let visitor = CodeVisitor(viewMode: .sourceAccurate)
            visitor.walk(file.tree)
            open.formUnion(visitor.open)
            hidden.formUnion(visitor.hidden)
        }
        hidden.subtract(open)
    }

    /// Returns the public declarations that name a code that a client can't write.
    ///
    /// A `- Throws:` section that names `PushCryptError` may name nothing else in single backticks but public codes,
    /// parameters and literals, so that a code without a constant is found, too.
    func violations(in file: SourceFile) -> [Violation] {
        let visitor = DocumentationVisitor(viewMode: .sourceAccurate)
        visitor.walk(file.tree)
        return visitor.documented.flatMap { documented in
            unknownNames(in: documented).map { name in
                Violation(
                    gate: .hiddenCode, path: file.path, line: file.line(of: documented.position),
                    message: "The documentation names the code \(name), which a client can't write")
            }
        }
    }

    private func unknownNames(in documented: Documented) -> [String] {
        let hiddenNames = names(in: documented.text[...]).filter(hidden.contains)
        let undeclared = names(in: documented.throwsSection)
            .filter { !open.contains($0) && !documented.knownNames.contains($0) }
        return Set(hiddenNames + undeclared).sorted()
    }

    /// The words in single backticks that could be names of constants.
    ///
    /// Symbol links have double ones.
    private func names(in text: Substring) -> [String] {
        text.replacing(#/``[^`]*``/#, with: "").matches(of: #/`\.?([a-z][A-Za-z0-9]*)`/#).map { String($0.output.1) }
    }
}

/// The documentation of a declaration that a client sees.
private struct Documented {
    let position: AbsolutePosition
    let text: String
    /// The names that documentation may use beside codes: literals, and the parameters.
    let knownNames: Set<String>

    /// The text from `- Throws:` to the next section.
    var throwsSection: Substring {
        guard let start = text.range(of: "- Throws:"), text.contains("PushCryptError") else { return "" }
        let section = text[start.upperBound...]
        let end = section.range(of: "- Returns:")?.lowerBound ?? section.endIndex
        return section[..<end]
    }
}

private final class CodeVisitor: SyntaxVisitor {
    private(set) var open: Set<String> = []
    private(set) var hidden: Set<String> = []

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.extendedType.trimmedDescription.hasSuffix("PushCryptError.Code") else { return .visitChildren }
        for member in node.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self),
                let name = variable.bindings.first?.pattern.trimmedDescription
            else { continue }
            if variable.modifiers.isOpen || node.modifiers.isOpen {
                open.insert(name)
            } else {
                hidden.insert(name)
            }
        }
        return .skipChildren
    }
}

private final class DocumentationVisitor: SyntaxAnyVisitor {
    private(set) var documented: [Documented] = []

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        guard let declaration = node.asProtocol((any WithModifiersSyntax).self), isVisible(node, declaration) else {
            return .visitChildren
        }
        let text = node.leadingTrivia.pieces.compactMap { piece -> String? in
            if case .docLineComment(let line) = piece { line } else { nil }
        }.joined(separator: "\n")
        if !text.isEmpty {
            documented.append(
                Documented(
                    position: node.positionAfterSkippingLeadingTrivia, text: text, knownNames: names(in: node)))
        }
        return .visitChildren
    }

    /// Returns `true` for a public declaration, and for the requirements of a public protocol.
    private func isVisible(_ node: Syntax, _ declaration: any WithModifiersSyntax) -> Bool {
        if declaration.modifiers.isOpen { return true }
        var parent = node.parent
        while let current = parent {
            if let type = current.as(ProtocolDeclSyntax.self) { return type.modifiers.isOpen }
            parent = current.parent
        }
        return false
    }

    private func names(in node: Syntax) -> Set<String> {
        var names: Set<String> = ["nil", "true", "false"]
        for token in node.tokens(viewMode: .sourceAccurate) {
            if case .identifier(let name) = token.tokenKind { names.insert(name) }
        }
        return names
    }
}

extension DeclModifierListSyntax {
    /// The declaration is public or open.
    fileprivate var isOpen: Bool {
        contains { $0.name.tokenKind == .keyword(.public) || $0.name.tokenKind == .keyword(.open) }
    }
}
