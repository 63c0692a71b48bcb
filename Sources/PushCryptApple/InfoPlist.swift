internal import Foundation
public import PushCryptReceiver

/// The settings that the app and each of its extensions have in their Info.plist.
package struct InfoPlist {
    private let values: [String: Any]

    package init(_ values: [String: Any] = Bundle.main.infoDictionary ?? [:]) {
        self.values = values
    }

    var keychainGroup: Result<String, PushCryptError> {
        let fix = "Set it to $(AppIdentifierPrefix) and the group of the capability Keychain Sharing."
        return read("PushCryptKeychainGroup", fix, isValid: Self.isName).map { $0[0] }
    }

    package var appGroup: Result<String, PushCryptError> {
        read("PushCryptAppGroup", "Set it to the group of the capability App Groups.", isValid: Self.isName).map {
            $0[0]
        }
    }

    package var senderPolicy: SenderPolicy {
        let fix = "Set it to your server's public signing key: a JWK, or its 43 characters."
        // Each copy of the app has the key, so it can't be the private one.
        let keys = read("PushCryptServerKey", fix) { texts in
            texts.allSatisfy { (try? VerificationKey(parsing: $0)) != nil && !$0.contains("\"d\"") }
        }
        return switch keys {
        case .success(let keys): .signed(by: keys)
        case .failure(let error): .invalid(error)
        }
    }

    private static func isName(_ texts: [String]) -> Bool {
        texts.count == 1 && !texts[0].contains(where: \.isWhitespace)
    }

    /// Reads a text, or the texts of an array.
    private func read(
        _ key: String, _ fix: String, isValid: ([String]) -> Bool
    ) -> Result<[String], PushCryptError> {
        let texts = values[key] as? [String] ?? [values[key] as? String ?? ""]
        var (problem, fix) = ("isn't valid", fix)
        if texts.isEmpty || texts.contains("") {
            problem = "is missing or empty"
        } else if let placeholder = texts.first(where: { $0.hasPrefix("YOUR_") }) {
            problem = "is the placeholder \(placeholder)"
        } else if let unexpanded = texts.first(where: { $0.contains("$(") || $0.contains("${") }) {
            problem = "is \(unexpanded) at run time"
            fix = "Set the build setting Expand Build Settings in Info.plist File to Yes."
        } else if isValid(texts) {
            return .success(texts)
        }
        return .failure(PushCryptError(.invalidConfiguration, "\(key) in the Info.plist \(problem). \(fix)"))
    }
}

extension SenderPolicy {
    /// Opens only messages that the server's keys in the Info.plist have signed: `PushCryptServerKey` is a JWK or the 43
    /// characters of the raw key, or an array of them. If it's missing or invalid, the policy rejects every message.
    public static var infoPlist: SenderPolicy { InfoPlist().senderPolicy }
}
