internal import Foundation
public import PushCryptReceiver

/// The settings that the app and each of its extensions have in their Info.plist.
package struct InfoPlist {
    private let values: [String: Any]

    package init(_ values: [String: Any] = Bundle.main.infoDictionary ?? [:]) {
        self.values = values
    }

    var keychainGroup: Result<String, PushCryptError> {
        name(
            "PushCryptKeychainGroup",
            "$(AppIdentifierPrefix) and the group of the capability Keychain Sharing")
    }

    package var appGroup: Result<String, PushCryptError> {
        name("PushCryptAppGroup", "the group of the capability App Groups")
    }

    package var senderPolicy: SenderPolicy {
        // Each copy of the app has the key, so it can't be the private one.
        let keys = read(
            "PushCryptServerKey", "your server's public signing key: a JWK, or its 43 characters"
        ) {
            texts in
            texts.allSatisfy { (try? VerificationKey(parsing: $0)) != nil && !$0.contains("\"d\"") }
        }
        switch (keys, audience) {
        case (.success(let keys), .success(let audience)):
            return .signed(by: keys, audience: audience)
        case (.failure(let error), _), (_, .failure(let error)): return .invalid(error)
        }
    }

    /// The audience of the lists of accepted keys; `nil` if the setting is missing.
    private var audience: Result<String?, PushCryptError> {
        guard values["PushCryptAudience"] != nil else { return .success(nil) }
        return read("PushCryptAudience", "the audience of your lists of accepted keys") {
            $0.count == 1
        }.map { $0[0] }
    }

    /// The hosts of attachments, which only targets that download them have.
    package var attachmentHosts: Result<Set<String>, PushCryptError> {
        read(
            "PushCryptAttachmentHosts",
            "your file server's host, or an array of hosts, without https:// and a port"
        ) {
            hosts in
            hosts.joined().allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0))
            }
        }.map { Set($0) }
    }

    /// The service that delivers the app's pushes; an unknown carrier if the setting isn't valid.
    package var carrier: Carrier {
        guard let value = values["PushCryptCarrier"] else { return .apns }
        return Carrier(rawValue: value as? String ?? "")
    }

    private func name(_ key: String, _ value: String) -> Result<String, PushCryptError> {
        read(key, value) { $0.count == 1 && !$0[0].contains(where: \.isWhitespace) }.map { $0[0] }
    }

    /// Reads a string, or an array of strings.
    private func read(_ key: String, _ value: String, isValid: ([String]) -> Bool) -> Result<
        [String], PushCryptError
    > {
        let strings = values[key] as? [String] ?? [values[key] as? String ?? ""]
        var problem = "isn't valid"
        var fix = "Set it to \(value)."
        if strings.isEmpty || strings.contains("") {
            problem = "is missing or empty"
        } else if let placeholder = strings.first(where: { $0.hasPrefix("YOUR_") }) {
            problem = "is the placeholder \(placeholder)"
        } else if let unexpanded = strings.first(where: { $0.contains("$(") || $0.contains("${") })
        {
            problem = "is \(unexpanded) at run time"
            fix = "Set the build setting Expand Build Settings in Info.plist File to Yes."
        } else if isValid(strings) {
            return .success(strings)
        }
        return .failure(
            PushCryptError(.invalidConfiguration, "\(key) in the Info.plist \(problem). \(fix)"))
    }
}

extension SenderPolicy {
    /// Opens only messages that the server's keys in the Info.plist have signed.
    ///
    /// `PushCryptServerKey` is a JWK or the 43 characters of the raw key, or an array of them in
    /// order of rank. If `PushCryptAudience` is set, lists of accepted keys need this audience.
    public static var infoPlist: SenderPolicy { InfoPlist().senderPolicy }
}

extension Carrier {
    /// The service in the Info.plist's `PushCryptCarrier`, such as `expo`; ``apns`` if the setting
    /// is missing.
    ///
    /// If the value isn't the name of a carrier, each push is rejected with `invalidConfiguration`.
    ///
    /// ```swift
    /// let opener = Opener(keys: KeychainStore(), senderPolicy: .infoPlist, carrier: .infoPlist)
    /// ```
    public static var infoPlist: Carrier { InfoPlist().carrier }
}
