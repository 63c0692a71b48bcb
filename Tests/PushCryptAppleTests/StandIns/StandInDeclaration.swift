/// One declaration that the users of a framework see.
struct StandInDeclaration: Hashable, CustomStringConvertible {
    /// The framework.
    var module = ""
    /// The type whose member it is; empty for none.
    var owner = ""
    /// In the normal form of ``DeclarationText``.
    var text: String

    var description: String { "\(module), \(owner.isEmpty ? "outermost" : owner): \(text)" }
}
