import Foundation

@testable import PushCryptCore
@testable import PushCryptPayload

/// Invariants of `.strings` files, string catalogs and formats.
///
/// - The strings of an accepted file are written as a file that is accepted, and has the same
///   strings.
/// - No file with a key twice is accepted, and none that Foundation reads in another way.
/// - A format without arguments is kept but for `%%`, and a placeholder is never read beyond the
///   arguments.
enum Strings {
    static func check(_ input: [UInt8]) {
        _ = accepted { () throws(PushCryptError) in try DictionaryStringTable(parsing: input) }
        checkFormat(input)
        guard !StringCatalog.isCatalog(input),
            let strings = accepted({ () throws(PushCryptError) in
                try StringsFile.strings(in: input)
            })
        else { return }
        checkFoundation(strings, input)
        let written = strings.map { "\(quoted($0.key)) = \(quoted($0.value));\n" }.joined()
        let again = accepted { () throws(PushCryptError) in
            try StringsFile.strings(in: Array(written.utf8))
        }
        guard let again else { return require(false, "written strings are accepted") }
        let isSame =
            again.count == strings.count
            && strings.allSatisfy { key, value in
                again[key]?.utf8.elementsEqual(value.utf8) == true
            }
        require(isSame, "strings are the ones of their file")
    }

    private static func checkFoundation(_ strings: [String: String], _ input: [UInt8]) {
        let list = try? PropertyListSerialization.propertyList(from: Data(input), format: nil)
        guard let theirs = list as? [String: String] else { return }
        require(theirs == strings, "Foundation reads the same strings")
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            if scalar == "\0" { quoted += "\\U0000" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "\""
    }

    private static func checkFormat(_ input: [UInt8]) {
        guard let format = String(validating: input, as: UTF8.self) else { return }
        let arguments = ["first", "second %@", "~"]
        let text = LocalizedFormat.text(format, arguments: arguments)
        let needed = LocalizedFormat.neededArguments(format)
        require(needed >= 0, "a format needs no negative number of arguments")
        let plain = LocalizedFormat.text(format, arguments: [])
        require(plain.utf8.count <= format.utf8.count, "a format without arguments doesn't grow")
        if needed == 0 { require(text == plain, "a format without placeholders ignores arguments") }
    }
}
