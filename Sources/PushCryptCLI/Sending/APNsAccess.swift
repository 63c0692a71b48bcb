internal import ArgumentParser
internal import Foundation
internal import PushCryptAPNs
internal import PushCryptSystem

#if APNs
internal import Logging
#endif

/// The credentials of a developer account, and the server that takes its pushes.
struct APNsAccess {
    let p8: String
    let keyID: String
    let teamID: String
    /// A Boolean value that indicates whether the key is a mounted secret.
    let isMounted: Bool
    let server: APNsServerOptions

    /// Checks the arguments.
    func check() throws {
        // The IDs are parts of the name of a file, too.
        for (id, option) in [(keyID, "--key-id"), (teamID, "--team-id")] {
            guard id.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil else {
                throw ValidationError(
                    "The ID after '\(option)' isn't valid. Give 10 letters and digits.")
            }
        }
        try PathArgument.check(p8, for: "--p8")
    }

    /// The files that an output must not replace.
    var files: [String?] { [p8, tokenPath, server.ca] }

    private var tokenPath: String {
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap {
            $0.hasPrefix("/") ? $0 : nil
        }
        let directory = cache ?? NSHomeDirectory() + "/.cache"
        return server.tokenFile ?? "\(directory)/pushcrypt/apns-\(keyID)-\(teamID).token"
    }

    #if APNs
    /// Reads the key, and creates the client.
    func client(connections: Int = 1, sealedOnly: Bool = true) throws -> APNsClient {
        let key = try naming("--p8") { () throws(PushCryptError) in
            try SecretFile(p8).read(isPrivate: !isMounted)
        }
        let tokenFile = sharedTokenFile()
        let authentication = try naming("--p8") { () throws(PushCryptError) in
            try APNsAuthentication.token(
                p8: key.withSpan { String(decoding: [UInt8](copying: $0), as: UTF8.self) },
                keyID: keyID, teamID: teamID, tokenFile: tokenFile)
        }
        var environment = server.sandbox ? APNsEnvironment.sandbox : .production
        if let host = server.host {
            environment = try APNsEnvironment(
                host: host, port: 443,
                trusting: server.ca.map { String(decoding: try Input.text($0), as: UTF8.self) })
        }
        if let port = server.port { environment.port = port }
        return try APNsClient(
            authentication, environment: environment, sealedOnly: sealedOnly,
            connections: connections,
            logger: Logger(label: "pushcrypt.apns") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Returns the path of the file with the provider token, and warns if it can't be used.
    private func sharedTokenFile() -> String {
        do throws(PushCryptError) {
            if server.tokenFile == nil {
                try FileSystem.createDirectory(FileSystem.directory(of: tokenPath))
            }
            try DataOptions.checkDirectory(of: tokenPath)
            _ = try SecretFile(tokenPath).readIfPresent()
        } catch {
            Output.warning("the provider token isn't shared with other processes: \(error.reason)")
        }
        return tokenPath
    }
    #endif
}
