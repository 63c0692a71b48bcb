import SwiftSyntax

/// Returns the places that write an error code as a string, which a client and a reader can't search for by its name.
///
/// The constants themselves, `static let` in an extension of `PushCryptError.Code`, are the exception.
func writtenCodeViolations(in file: SourceFile) -> [Violation] {
    let visitor = WrittenCodeVisitor(viewMode: .sourceAccurate)
    visitor.walk(file.tree)
    return visitor.found.map { position in
        Violation(
            gate: .writtenCode, path: file.path, line: file.line(of: position),
            message: "An error code is written as a string. Use a constant")
    }
}

private final class WrittenCodeVisitor: SyntaxVisitor {
    private(set) var found: [AbsolutePosition] = []

    /// Constants of any type may write their raw values.
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let isStatic = node.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
        let isConstant = node.bindingSpecifier.tokenKind == .keyword(.let)
        return isStatic && isConstant ? .skipChildren : .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called = node.calledExpression.trimmedDescription
        let isCode = called == ".init" || called == "Code" || called.hasSuffix(".Code")
        let isWritten = node.arguments.contains {
            $0.label?.text == "rawValue" && $0.expression.is(StringLiteralExprSyntax.self)
        }
        if isCode, isWritten { found.append(node.positionAfterSkippingLeadingTrivia) }
        return .visitChildren
    }

    /// Comparisons such as `error.code.rawValue == "unknown-key"`.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let words = node.elements.map(\.trimmedDescription)
        let compares = words.contains("==") || words.contains("!=")
        let comparesWord =
            compares && words.contains { $0.hasSuffix("code.rawValue") } && words.contains { $0.hasPrefix("\"") }
        if comparesWord { found.append(node.positionAfterSkippingLeadingTrivia) }
        return .visitChildren
    }
}
