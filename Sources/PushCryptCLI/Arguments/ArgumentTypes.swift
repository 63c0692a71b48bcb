public import ArgumentParser
internal import PushCryptLint
public import PushCryptSender

extension Padding: ExpressibleByArgument {}
extension ExposedKey: ExpressibleByArgument {}
extension AlertField: ExpressibleByArgument {}

extension PushType: ExpressibleByArgument {
    /// The names of the types that can be sealed; `lint` knows the others too.
    public static var allValueStrings: [String] { sealable.map(\.rawValue) }

    /// The same names, for the completions of shells.
    public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension Carrier: ExpressibleByArgument {
    /// The names of the carriers that a sealer has the request of.
    public static var allValueStrings: [String] { all.map(\.rawValue) }

    /// The same names, for the completions of shells.
    public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// Creates the carrier with a name.
    public init?(argument: String) {
        self.init(rawValue: argument)
        guard Self.all.contains(self) else { return nil }
    }
}

extension APNsHeaders.Priority: ExpressibleByArgument {
    /// The numbers 10, 5 and 1.
    public static var allValueStrings: [String] { allCases.map { "\($0.rawValue)" } }

    /// The same numbers, for the completions of shells.
    public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// Creates the priority with a number.
    public init?(argument: String) {
        guard let number = Int(argument) else { return nil }
        self.init(rawValue: number)
    }
}

extension Rule.ID: ExpressibleByArgument {
    /// Creates the ID of a rule that exists.
    public init?(argument: String) {
        self.init(rawValue: argument)
        guard Rule.all.contains(where: { $0.id == self }) else { return nil }
    }
}

/// The values of one argument, separated by commas or spaces.
struct CommaList<Element: ExpressibleByArgument>: ExpressibleByArgument {
    let elements: [Element]

    init?(argument: String) {
        let words = argument.split { $0 == "," || $0 == " " }
        elements = words.compactMap { Element(argument: String($0)) }
        guard elements.count == words.count else { return nil }
    }

    static var allValueStrings: [String] { Element.allValueStrings }
    static var defaultCompletionKind: CompletionKind { Element.defaultCompletionKind }
}
