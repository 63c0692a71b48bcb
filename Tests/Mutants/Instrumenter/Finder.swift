import SwiftSyntax

/// Finds the mutants of a file.
final class Finder: SyntaxVisitor {
    private(set) var candidates: [Candidate] = []
    private let path: String
    private let converter: SourceLocationConverter
    private var functions: [String] = []
    private var seen: [String: Int] = [:]

    init(path: String, tree: some SyntaxProtocol) {
        self.path = path
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Scopes

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text, attributes: node.attributes)
    }
    override func visitPost(_ node: FunctionDeclSyntax) { leave() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("init", attributes: node.attributes)
    }
    override func visitPost(_ node: InitializerDeclSyntax) { leave() }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            node.bindings.first?.pattern.trimmedDescription ?? "variable",
            attributes: node.attributes)
    }
    override func visitPost(_ node: VariableDeclSyntax) { leave() }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("subscript", attributes: node.attributes)
    }
    override func visitPost(_ node: SubscriptDeclSyntax) { leave() }

    private func enter(_ name: String, attributes: AttributeListSyntax) -> SyntaxVisitorContinueKind
    {
        functions.append(name)
        // Inlinable code is compiled into other modules, which don't have the switch.
        return attributes.description.contains("inlinable") ? .skipChildren : .visitChildren
    }

    private func leave() {
        functions.removeLast()
    }

    // MARK: Code that has no mutants

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: Mutants

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions {
            if case .expression(let condition) = element.condition {
                add("skip-guard", of: condition, showing: "guard \(condition.oneLine)") {
                    "(\($0) ? true : ("
                }
            }
        }
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions {
            if case .expression(let condition) = element.condition {
                add("skip-if", of: condition, showing: "if \(condition.oneLine)") {
                    "(\($0) ? false : ("
                }
            }
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            let other = Self.opposites[sign],
            !Self.joins.contains(sign) || node.leftOperand.isCount || node.rightOperand.isCount
        else { return .visitChildren }
        let changed =
            "\(node.leftOperand.trimmedDescription) \(other) \(node.rightOperand.trimmedDescription)"
        add("\(sign) to \(other)", of: node) { "(\($0) ? (\(changed)) : (" }
        return .visitChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        guard let literal = node.expression?.as(BooleanLiteralExprSyntax.self) else {
            return .visitChildren
        }
        let other = literal.literal.text == "true" ? "false" : "true"
        add("return \(other)", of: literal, showing: "return \(literal.literal.text)") {
            "(\($0) ? \(other) : ("
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard !functions.isEmpty, let statement = node.enclosing else { return .skipChildren }
        let literal = node.literal.text
        add("\(literal) + 1", of: node, showing: statement.oneLine) {
            "(\($0) ? \(literal) + 1 : ("
        }
        return .skipChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard let call = node.item.as(ExprSyntax.self), call.isRemovableCall,
            let list = node.parent?.as(CodeBlockItemListSyntax.self),
            list.count > 1 || list.isVoidBody
        else { return .visitChildren }
        add("delete", of: call, closing: " }") { "if !\($0) { " }
        return .visitChildren
    }

    private static let opposites = [
        "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&",
        "+": "-", "-": "+",
        "..<": "...", "&": "|", "^": "&",
    ]
    // These join strings and arrays, too.
    private static let joins: Set<String> = ["+"]

    private func add(
        _ change: String, of node: some SyntaxProtocol, showing text: String? = nil,
        closing: String = "))",
        before: @escaping (String) -> String
    ) {
        let code = text ?? node.oneLine
        let start = node.positionAfterSkippingLeadingTrivia
        var mutant = Mutant(
            path: path, line: converter.location(for: start).line, change: change, code: code,
            function: functions.last ?? "", occurrence: 1)
        seen[mutant.identity, default: 0] += 1
        mutant.occurrence = seen[mutant.identity, default: 1]
        seen[mutant.identity] = mutant.occurrence
        let wrapping = Wrapping(
            start: start.utf8Offset, end: node.endPositionBeforeTrailingTrivia.utf8Offset,
            before: before,
            after: closing)
        candidates.append(Candidate(mutant: mutant, wrapping: wrapping))
    }
}
