/// Prints what breaks the limits of structure in directories of Swift files, and fails. `.ci/rules`
/// runs it.
///
/// A function, an initializer, an accessor or a subscript has at most 40 lines, 4 levels of braces,
/// 5 parameters and 2 unlabelled ones. Initializers, and factories with a default, may have more
/// parameters. No tuple is stored, assigned or a value: it hides names and types.

import Foundation
import SwiftParser
import SwiftSyntax

final class Limits: SyntaxVisitor {
    private let path: String
    private let converter: SourceLocationConverter
    private(set) var functions = 0
    private(set) var violations: [String] = []

    init(_ path: String) throws {
        let tree = Parser.parse(source: try String(contentsOfFile: path, encoding: .utf8))
        self.path = path
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    private func line(_ position: AbsolutePosition) -> Int {
        converter.location(for: position).line
    }

    private func fail(_ node: some SyntaxProtocol, _ text: String) {
        violations.append("\(path):\(line(node.positionAfterSkippingLeadingTrivia)): \(text)")
    }

    private func expect(
        _ node: some SyntaxProtocol, _ count: Int, of unit: String, atMost limit: Int
    ) {
        if count > limit { fail(node, "\(count) \(unit), at most \(limit)") }
    }

    /// Checks a function, from the first token after its attributes and modifiers to its end.
    private func check(
        from start: some SyntaxProtocol, body: (some SyntaxProtocol)?,
        parameters: FunctionParameterClauseSyntax? = nil,
        hasFactoryDefault: Bool = false
    ) -> SyntaxVisitorContinueKind {
        functions += 1
        let parameters = parameters.map { Array($0.parameters) } ?? []
        let isExempt = hasFactoryDefault && parameters.contains { $0.defaultValue != nil }
        expect(start, isExempt ? 0 : parameters.count, of: "parameters", atMost: 5)
        expect(
            start, parameters.count { $0.firstName.tokenKind == .wildcard },
            of: "unlabelled parameters", atMost: 2)
        guard let body else { return .skipChildren }
        let last = line(body.endPositionBeforeTrailingTrivia)
        expect(
            start, last - line(start.positionAfterSkippingLeadingTrivia) + 1, of: "lines",
            atMost: 40)
        expect(start, Nesting(of: body).maximum, of: "levels of nesting", atMost: 4)
        // Statements may have tuples and local functions.
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let result = node.signature.returnClause?.type.trimmedDescription
        let isFactory =
            node.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
            && (result == "Self" || result == enclosingType(of: node))
        return check(
            from: node.funcKeyword, body: node.body, parameters: node.signature.parameterClause,
            hasFactoryDefault: isFactory)
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        check(
            from: node.initKeyword, body: node.body, parameters: node.signature.parameterClause,
            hasFactoryDefault: true
        )
    }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        check(from: node.deinitKeyword, body: node.body)
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        check(
            from: node.subscriptKeyword, body: node.accessorBlock, parameters: node.parameterClause)
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        guard let block = node.accessorBlock else { return .visitChildren }
        return check(from: node.pattern, body: block)
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        if elements.count > 2, isTuple(elements[0]), elements[1].is(AssignmentExprSyntax.self) {
            fail(node, "a tuple is assigned. Write a line for each value")
        }
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let isMember = node.parent?.is(MemberBlockItemSyntax.self) == true
        for binding in node.bindings {
            if let value = binding.initializer?.value, isTuple(value) {
                fail(node.bindingSpecifier, "a tuple is a value. Write a line for each value")
            } else if isMember, binding.accessorBlock == nil, isTuple(binding.typeAnnotation?.type)
            {
                fail(node.bindingSpecifier, "a tuple is stored. Use a struct")
            }
        }
        return .visitChildren
    }

    private func isTuple(_ value: ExprSyntax) -> Bool {
        (value.as(TupleExprSyntax.self)?.elements.count ?? 0) > 1
    }

    private func isTuple(_ type: TypeSyntax?) -> Bool {
        if let optional = type?.as(OptionalTypeSyntax.self) { return isTuple(optional.wrappedType) }
        if let array = type?.as(ArrayTypeSyntax.self) { return isTuple(array.element) }
        guard let tuple = type?.as(TupleTypeSyntax.self) else { return false }
        return tuple.elements.count > 1 || isTuple(tuple.elements.first?.type)
    }

    private func enclosingType(of node: FunctionDeclSyntax) -> String? {
        guard let owner = node.parent?.parent?.parent?.parent else { return nil }
        return owner.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            ?? owner.asProtocol((any NamedDeclSyntax).self)?.name.text
    }
}

/// The depth of braces in a body, which is level 1 itself.
final class Nesting: SyntaxAnyVisitor {
    private(set) var maximum = 0
    private var depth = 0

    init(of body: some SyntaxProtocol) {
        super.init(viewMode: .sourceAccurate)
        walk(Syntax(body))
    }

    private func isLevel(_ node: Syntax) -> Bool {
        node.is(CodeBlockSyntax.self) || node.is(ClosureExprSyntax.self)
            || node.is(AccessorBlockSyntax.self)
            || node.is(SwitchExprSyntax.self)
    }

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        if isLevel(node) {
            depth += 1
            maximum = max(maximum, depth)
        }
        return .visitChildren
    }

    override func visitAnyPost(_ node: Syntax) {
        if isLevel(node) { depth -= 1 }
    }
}

let files = CommandLine.arguments.dropFirst().flatMap { directory in
    (FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted().map {
            directory + "/" + $0
        }
}
let checked = try files.map { try Limits($0) }
let violations = checked.flatMap(\.violations)
let functions = checked.map(\.functions).reduce(0, +)
print(
    (violations + [
        "\(files.count) files, \(functions) functions, \(violations.count) violations of structure"
    ])
    .joined(separator: "\n"))
exit(violations.isEmpty && functions > 0 ? 0 : 1)
