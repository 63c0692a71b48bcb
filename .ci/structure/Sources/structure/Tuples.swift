import SwiftSyntax

/// Returns the tuples that are assigned to state: `(a, b) = (c, d)`, and stored properties of a tuple type.
///
/// A tuple hides names and types, and packs several statements into one. Use a line for each value, or a small struct.
func tupleViolations(in file: SourceFile) -> [Violation] {
    let visitor = TupleVisitor(viewMode: .sourceAccurate)
    visitor.walk(file.tree)
    return visitor.found.map { found in
        Violation(gate: .tuples, path: file.path, line: file.line(of: found.position), message: found.message)
    }
}

private final class TupleVisitor: SyntaxVisitor {
    struct Found {
        let position: AbsolutePosition
        let message: String
    }

    private(set) var found: [Found] = []

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        if elements.count >= 3, let tuple = elements[0].as(TupleExprSyntax.self), tuple.elements.count > 1,
            elements[1].is(AssignmentExprSyntax.self)
        {
            add(node.positionAfterSkippingLeadingTrivia, "A tuple is assigned. Write a line for each value")
        }
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        for binding in node.bindings {
            let value = binding.initializer?.value.as(TupleExprSyntax.self)
            let isTupleValue = (value?.elements.count ?? 0) > 1
            let position = node.bindingSpecifier.positionAfterSkippingLeadingTrivia
            if isTupleValue {
                add(position, "A tuple is a value. Write a line for each value")
            } else if isStoredProperty(node, binding), isTuple(binding.typeAnnotation?.type) {
                add(position, "A tuple is stored. Use a struct")
            }
        }
        return .visitChildren
    }

    private func add(_ position: AbsolutePosition, _ message: String) {
        found.append(Found(position: position, message: message))
    }

    private func isStoredProperty(_ node: VariableDeclSyntax, _ binding: PatternBindingSyntax) -> Bool {
        node.parent?.parent?.is(MemberBlockItemListSyntax.self) == true && binding.accessorBlock == nil
    }

    private func isTuple(_ type: TypeSyntax?) -> Bool {
        if let optional = type?.as(OptionalTypeSyntax.self) { return isTuple(optional.wrappedType) }
        if let array = type?.as(ArrayTypeSyntax.self) { return isTuple(array.element) }
        if let tuple = type?.as(TupleTypeSyntax.self) {
            return tuple.elements.count > 1 || tuple.elements.first.map { isTuple($0.type) } ?? false
        }
        return false
    }
}
