public import Foundation
public import PushCryptReceiver

/// The strings of a bundle, in the language that the system has chosen for the user.
public struct BundleStringTable: StringTable {
    /// Where the bundle is.
    ///
    /// `Bundle` is not `Sendable` in every SDK. Foundation keeps the bundles that it has made, so making one anew is a
    /// lookup.
    private let path: String

    private let table: String?

    /// Takes the strings of a bundle.
    ///
    /// - Parameters:
    ///   - bundle: the bundle; in an app extension, `main` is the extension's own.
    ///   - table: the name of the `.strings` file without its extension; `nil` for `Localizable`.
    public init(_ bundle: Bundle = .main, table: String? = nil) {
        self.init(path: bundle.bundlePath, table: table)
    }

    private init(path: String, table: String?) {
        self.path = path
        self.table = table
    }

    /// The strings of the app, also where an extension of it asks.
    ///
    /// That is where the system looks up the keys of a push. Outside an app extension it is the main bundle.
    public static var containingApp: BundleStringTable {
        BundleStringTable(path: appPath(of: Bundle.main.bundlePath), table: nil)
    }

    /// The string with a key; `nil` where the bundle has none, which is not the same as a string that equals its key.
    public func string(forKey key: String) -> String? {
        guard let string = Bundle(path: path)?.localizedString(forKey: key, value: Self.missing, table: table),
            string.range(of: Self.missing) == nil
        else { return nil }
        return string
    }

    /// What Foundation returns for a key that is not there.
    ///
    /// Of private characters, so that no table has it, and that no setting for testing translations changes it: upper
    /// case, doubled length and brackets around it are the ones that there are.
    private static let missing = "\u{10FFFD}\u{10FFF0}\u{10FFFD}"

    /// The path of the app that an extension is in.
    ///
    /// Two folders above the extension on most systems, three on macOS, where there is a folder `Contents` in between.
    static func appPath(of bundlePath: String) -> String {
        var folder = URL(fileURLWithPath: bundlePath)
        guard folder.pathExtension == "appex" else { return bundlePath }
        for _ in 0..<3 {
            folder.deleteLastPathComponent()
            if folder.pathExtension == "app" { return folder.path }
        }
        return bundlePath
    }
}
