internal import PushCryptSender

/// The version of the tool, and the properties of its build.
enum ToolVersion {
    static let number = "0.1.0"

    /// The command that builds a tool that sends.
    static let buildWithAPNs = "swift build -c release --traits APNs --product pushcrypt"

    /// The number, which scripts read up to the first space, and the build's properties.
    static var description: String {
        let backend = RecipientPublicKey.backend
        var properties = [
            "libsodium \(Sodium.version)",
            "X25519: \(backend.hasPrefix("libsodium") ? "libsodium" : backend)",
            "traits: \(traits.isEmpty ? "none" : traits.joined(separator: " and "))",
        ]
        if let commit { properties.append("commit \(commit)") }
        return "\(number) (\(properties.joined(separator: ", ")))"
    }

    /// The package traits of the build.
    private static var traits: [String] {
        var traits: [String] = []
        #if APNs
        traits.append("APNs")
        #endif
        #if FastX25519
        traits.append("FastX25519")
        #endif
        return traits
    }

    /// The commit of the sources; `nil` in a build from a clone.
    ///
    /// `git archive` writes it into the file (https://git-scm.com/docs/gitattributes,
    /// export-subst).
    private static var commit: String? { commit(in: PackageResources.commit_txt) }

    static func commit(in file: [UInt8]) -> String? {
        let text = String(decoding: file, as: UTF8.self)
        return text.wholeMatch(of: /([0-9a-f]{40})\n/).map { String($0.output.1) }
    }
}
