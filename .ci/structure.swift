/// Prints what breaks the limits of structure in directories of Swift files, and fails. `.ci/rules`
/// runs it.
///
/// A function, an initializer, an accessor or a subscript has at most 40 lines, 4 levels of braces,
/// 5 parameters and 2 unlabelled ones. Initializers, and factories with a default, may have more
/// parameters. No tuple is stored, assigned or a value: it hides names and types.
///
/// No function with typed throws is the value of a generic type or function: Apple's systems before
/// macOS 15 and iOS 18 lack the metadata, and only a compiler for them says so.

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

/// Uses of functions with typed throws as generic values: `??`, `map`, arrays, dictionaries, and
/// arguments of generic types.
final class TypedThrows: SyntaxVisitor {
    private let path: String
    private let converter: SourceLocationConverter
    /// The variables and parameters of the file that hold such a function.
    private var names: Set<String> = []
    private var isCollecting = true
    private(set) var violations: [String] = []

    init(_ path: String, _ source: String) {
        let tree = Parser.parse(source: source)
        self.path = path
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
        walk(tree)
        isCollecting = false
        walk(tree)
    }

    private func fail(_ node: some SyntaxProtocol, _ use: String) {
        guard !isCollecting else { return }
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        violations.append(
            "\(path):\(line): a function with typed throws is \(use). Use if or a struct")
    }

    private func collect(_ name: TokenSyntax, _ type: TypeSyntax?) {
        if let type, isTyped(type) { names.insert(name.text) }
    }

    /// Returns a Boolean value that indicates whether a type is such a function, or an optional one.
    private func isTyped(_ type: TypeSyntax) -> Bool {
        if let function = type.as(FunctionTypeSyntax.self) {
            return function.effectSpecifiers?.throwsClause?.type != nil
        }
        let inner =
            type.as(OptionalTypeSyntax.self)?.wrappedType
            ?? type.as(AttributedTypeSyntax.self)?.baseType
            ?? type.as(TupleTypeSyntax.self).flatMap { tuple in
                tuple.elements.count == 1 ? tuple.elements.first?.type : nil
            }
        return inner.map(isTyped) ?? false
    }

    private func isName(_ expression: ExprSyntax?) -> Bool {
        var name = expression?.as(DeclReferenceExprSyntax.self)?.baseName
        // Another object's member of the same name may be anything.
        if let member = expression?.as(MemberAccessExprSyntax.self),
            member.base?.trimmedDescription == "self"
        {
            name = member.declName.baseName
        }
        return name.map { names.contains($0.text) } ?? false
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        collect(node.secondName ?? node.firstName, node.type)
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier {
            collect(name, node.typeAnnotation?.type)
        }
        return .visitChildren
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        for (index, element) in elements.enumerated()
        where element.as(BinaryOperatorExprSyntax.self)?.operator.text == "??" {
            let operands = [
                elements[max(index - 1, 0)], elements[min(index + 1, elements.count - 1)],
            ]
            if operands.contains(where: isName) { fail(node, "an operand of ??") }
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let callee = node.calledExpression.as(MemberAccessExprSyntax.self)
        let name = callee?.declName.baseName.text ?? node.calledExpression.trimmedDescription
        if ["map", "flatMap"].contains(name), isName(callee?.base) { fail(node, "mapped") }
        if ["Optional", "some"].contains(name), isName(node.arguments.first?.expression) {
            fail(node, "wrapped")
        }
        return .visitChildren
    }

    override func visit(_ node: ArrayElementSyntax) -> SyntaxVisitorContinueKind {
        if isName(node.expression) { fail(node, "an element of an array") }
        return .visitChildren
    }

    override func visit(_ node: DictionaryElementSyntax) -> SyntaxVisitorContinueKind {
        if isName(node.value) { fail(node, "a value of a dictionary") }
        return .visitChildren
    }

    override func visit(_ node: ArrayTypeSyntax) -> SyntaxVisitorContinueKind {
        if isTyped(node.element) { fail(node, "an element of an array") }
        return .visitChildren
    }

    override func visit(_ node: DictionaryTypeSyntax) -> SyntaxVisitorContinueKind {
        if isTyped(node.value) { fail(node, "a value of a dictionary") }
        return .visitChildren
    }

    override func visit(_ node: GenericArgumentSyntax) -> SyntaxVisitorContinueKind {
        if case .type(let type) = node.argument, isTyped(type) { fail(node, "a generic argument") }
        return .visitChildren
    }
}

/// A source with each kind of use, which the rule must find, and uses that need no metadata.
let example = """
    func f(_ a: (@Sendable () throws(E) -> Int)?, b: @escaping () throws(E) -> Int) {
        let c = a ?? b
        let d = self.a.map { $0 }
        let e = [b]
        let g = ["b": b]
        let h: [() throws(E) -> Int] = []
        let i: Box<() throws(E) -> Int>? = nil
        let j = Optional(b)
        let right = if let a { a } else { b }
        let other = try b() ?? d
    }
    """
guard TypedThrows("example", example).violations.count == 7 else {
    print("The rule of functions with typed throws doesn't find each use in its example.")
    exit(1)
}

/// Returns the Swift files of directories.
func files(_ directories: some Sequence<String>) -> [String] {
    directories.flatMap { directory in
        (FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted()
            .map { directory + "/" + $0 }
    }
}

// After "--", only the last rule holds.
let parts = CommandLine.arguments.dropFirst().split(separator: "--")
let checkedFiles = files(parts.first ?? [])
let checked = try checkedFiles.map { try Limits($0) }
let uses = try (checkedFiles + files(parts.dropFirst().joined())).flatMap { path in
    TypedThrows(path, try String(contentsOfFile: path, encoding: .utf8)).violations
}
let violations = checked.flatMap(\.violations) + uses
let functions = checked.map(\.functions).reduce(0, +)
print(
    (violations + [
        "\(checkedFiles.count) files, \(functions) functions, \(violations.count) violations of structure"
    ])
    .joined(separator: "\n"))
exit(violations.isEmpty && functions > 0 ? 0 : 1)
