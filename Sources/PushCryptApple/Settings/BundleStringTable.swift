public import Foundation
public import PushCryptReceiver

/// A string table of a bundle, in the user's language.
///
/// ```swift
/// let fallback = FallbackText(key: "new-message", in: BundleStringTable(.main))
/// ```
public struct BundleStringTable: StringTable {
    /// The path, because `Bundle` isn't `Sendable` in every SDK; Foundation caches its bundles.
    private let path: String

    private let table: String?

    /// The string table of the app, even in its extensions: the system looks up a push's
    /// localization keys there.
    public static var containingApp: BundleStringTable {
        BundleStringTable(path: ContainingApp.path, table: nil)
    }

    /// Returns the string for a key; `nil` if the bundle doesn't have it.
    public func string(forKey key: String) -> String? {
        guard
            let string = Bundle(path: path)?.localizedString(
                forKey: key, value: Self.missing, table: table),
            string.range(of: Self.missing) == nil
        else { return nil }
        return string
    }

    /// The string for a missing key: private characters, which Xcode's options for testing
    /// translations don't change.
    private static let missing = "\u{10FFFD}\u{10FFF0}\u{10FFFD}"
}

extension BundleStringTable {
    /// Creates a string table.
    ///
    /// - Parameters:
    ///   - bundle: The bundle; in an app extension, `main` is the extension's own.
    ///   - table: The name of the `.strings` file without its extension; `nil` for `Localizable`.
    public init(_ bundle: Bundle = .main, table: String? = nil) {
        self.init(path: bundle.bundlePath, table: table)
    }
}
