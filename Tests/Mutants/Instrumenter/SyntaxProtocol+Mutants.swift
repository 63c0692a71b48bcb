import SwiftSyntax

extension SyntaxProtocol {
    /// The node's code on one line.
    var oneLine: String {
        trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The statement or declaration around an expression.
    var enclosing: Syntax? {
        var node = parent
        while let current = node {
            if current.is(CodeBlockItemSyntax.self) || current.is(VariableDeclSyntax.self) {
                return current
            }
            node = current.parent
        }
        return nil
    }
}

extension ExprSyntax {
    /// A number, or a member that is a number by its name.
    var isCount: Bool {
        if self.is(IntegerLiteralExprSyntax.self) { return true }
        guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
        return ["count", "length"].contains(member.declName.baseName.text)
    }

    /// A call as a statement, other than of an initializer.
    var isRemovableCall: Bool {
        if let attempt = self.as(TryExprSyntax.self) { return attempt.expression.isRemovableCall }
        if let wait = self.as(AwaitExprSyntax.self) { return wait.expression.isRemovableCall }
        if let marked = self.as(UnsafeExprSyntax.self) { return marked.expression.isRemovableCall }
        guard let call = self.as(FunctionCallExprSyntax.self) else { return false }
        let name = call.calledExpression.trimmedDescription
        return !name.hasSuffix(".init") && !name.hasPrefix("super.")
            && !name.contains("preconditionFailure")
    }
}

extension CodeBlockItemListSyntax {
    /// The body of a function without a result, or of a statement: a call in it isn't the body's
    /// value.
    var isVoidBody: Bool {
        guard let block = parent?.as(CodeBlockSyntax.self) else { return false }
        if let function = block.parent?.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause == nil
        }
        return block.parent?.is(IfExprSyntax.self) == true
            || block.parent?.is(ForStmtSyntax.self) == true
            || block.parent?.is(DeferStmtSyntax.self) == true
    }
}
