/// Stands in for Expo's protocol of a module: the builder of its definition.
///
/// Source: expo-modules-core, `AnyModule`, `ModuleDefinitionBuilder` and `AsyncFunction`.
public protocol Module {
    /// Stands in for Expo's method of the same name.
    @ModuleDefinitionBuilder func definition() -> ModuleDefinition
}

/// Stands in for Expo's type of the same name.
public struct ModuleDefinition {
    /// The names of the module and its functions.
    public let names: [String]
}

/// A part of a definition.
public struct ModuleElement {
    let name: String
}

/// Stands in for Expo's result builder of the same name.
@resultBuilder public enum ModuleDefinitionBuilder {
    /// Builds a definition.
    public static func buildBlock(_ elements: ModuleElement...) -> ModuleDefinition {
        ModuleDefinition(names: elements.map(\.name))
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Stands in for Expo's function of the same name.
public func Name(_ name: String) -> ModuleElement { ModuleElement(name: name) }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Stands in for Expo's function of the same name.
public func AsyncFunction<each Argument, Result>(
    _ name: String, _ body: @escaping (repeat each Argument) async throws -> Result
) -> ModuleElement {
    ModuleElement(name: name)
}
