import SwiftSyntax

/// A function, an initializer, an accessor or a subscript with a body.
struct Function {
    let name: String
    let path: String
    let line: Int
    let lineCount: Int
    let nesting: Int
    let parameters: [FunctionParameterSyntax]
    /// The parameters have no limit: it's an initializer or a factory with defaults.
    let isExemptFromParameterLimit: Bool
    /// The body is on the line of the signature, and has more than one statement or an assignment.
    let isSqueezed: Bool

    var unlabelledParameters: Int {
        parameters.count { $0.firstName.tokenKind == .wildcard }
    }
}

/// Returns the functions of a file, without the ones inside other functions.
func functions(in file: SourceFile) -> [Function] {
    let visitor = FunctionVisitor(file)
    visitor.walk(file.tree)
    return visitor.functions
}

func functionViolations(in file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    for function in functions(in: file) {
        func add(_ gate: Gate, _ count: Int, _ unit: String, _ maximum: Int) {
            guard count > maximum else { return }
            violations.append(
                Violation(
                    gate: gate, path: file.path, line: function.line,
                    message: "\(function.name) has \(count) \(unit), at most \(maximum)"))
        }
        add(.functionLength, function.lineCount, "lines", Gate.maximumLines)
        add(.nesting, function.nesting, "levels of nesting", Gate.maximumNesting)
        add(
            .unlabelledParameters, function.unlabelledParameters, "unlabelled parameters",
            Gate.maximumUnlabelledParameters)
        if !function.isExemptFromParameterLimit {
            add(.parameters, function.parameters.count, "parameters", Gate.maximumParameters)
        }
    }
    return violations
}

private final class FunctionVisitor: SyntaxVisitor {
    private(set) var functions: [Function] = []
    private let file: SourceFile

    init(_ file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let hasDefault = node.signature.parameterClause.parameters.contains { $0.defaultValue != nil }
        let isStatic = node.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
        let result = node.signature.returnClause?.type.trimmedDescription
        let isFactory = isStatic && hasDefault && (result == "Self" || result == enclosingType(of: node))
        add(
            named: node.name.text, from: node.funcKeyword, body: node.body,
            parameters: node.signature.parameterClause, isExempt: isFactory)
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        let hasDefault = node.signature.parameterClause.parameters.contains { $0.defaultValue != nil }
        add(
            named: "\(enclosingType(of: node)).init", from: node.initKeyword, body: node.body,
            parameters: node.signature.parameterClause, isExempt: hasDefault)
        return .skipChildren
    }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        add(named: "deinit", from: node.deinitKeyword, body: node.body)
        return .skipChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        add(
            named: "subscript", from: node.subscriptKeyword, body: node.accessorBlock,
            parameters: node.parameterClause)
        return .skipChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        guard let block = node.accessorBlock, let first = node.firstToken(viewMode: .sourceAccurate) else {
            return .visitChildren
        }
        add(named: node.pattern.trimmedDescription, from: first, body: block)
        return .skipChildren
    }

    private func add(
        named name: String, from first: TokenSyntax, body: (some SyntaxProtocol)?,
        parameters: FunctionParameterClauseSyntax? = nil, isExempt: Bool = false
    ) {
        let start = first.positionAfterSkippingLeadingTrivia
        var nesting = 0
        var isSqueezed = false
        if let body {
            let visitor = NestingVisitor(viewMode: .sourceAccurate)
            visitor.walk(Syntax(body))
            nesting = visitor.maximum
            isSqueezed = visitor.statements > 1 && file.lineCount(from: body.position, of: body) == 1
        }
        functions.append(
            Function(
                name: name, path: file.path, line: file.line(of: start),
                lineCount: body.map { file.lineCount(from: start, of: $0) } ?? 1,
                nesting: nesting, parameters: parameters.map { Array($0.parameters) } ?? [],
                isExemptFromParameterLimit: isExempt, isSqueezed: isSqueezed))
    }

    private func enclosingType(of node: some SyntaxProtocol) -> String {
        var parent = node.parent
        while let current = parent {
            if let type = current.asProtocol((any NamedDeclSyntax).self), !current.is(FunctionDeclSyntax.self) {
                return type.name.text
            }
            if let type = current.as(ExtensionDeclSyntax.self) { return type.extendedType.trimmedDescription }
            parent = current.parent
        }
        return ""
    }
}

/// The depth of braces in a body: of statements, closures, and functions inside.
///
/// The body itself is level 1.
private final class NestingVisitor: SyntaxVisitor {
    private(set) var maximum = 0
    private(set) var statements = 0
    private var depth = 0

    private func enter() -> SyntaxVisitorContinueKind {
        depth += 1
        maximum = max(maximum, depth)
        return .visitChildren
    }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: CodeBlockSyntax) { depth -= 1 }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: ClosureExprSyntax) { depth -= 1 }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: AccessorBlockSyntax) { depth -= 1 }
    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: SwitchExprSyntax) { depth -= 1 }
    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        statements += 1
        return .visitChildren
    }
}
