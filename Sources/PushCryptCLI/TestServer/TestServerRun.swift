#if APNs
internal import Foundation
internal import PushCryptAPNsTesting
internal import PushCryptSystem

/// A run of the server that stands in for APNs.
struct TestServerRun {
    let port: Int
    let topic: String
    let hasFaults: Bool
    let endsWithInput: Bool

    /// Writes the credentials, starts the server, and prints what it accepts until a signal or the
    /// end of input.
    func run(in directory: String) throws {
        try FileSystem.createDirectory(directory)
        try writeCredentials(into: directory)
        var options = TestAPNsServer.Options()
        options.keepsPushes = false
        options.port = port
        options.topic = topic
        let server = try start(options)
        defer { waiting { try? await server.stop() } }
        let key = ProviderKey.first
        try Output.line(facts(of: server, key))
        Output.hint(
            """
            send to it with: pushcrypt send --p8 \(directory)/key.p8 --key-id \(key.keyID) \
            --team-id \(key.teamID) --host \(server.host) --port \(server.port) --ca \
            \(directory)/ca.pem --topic \(topic) --device TOKEN
            """)
        let end = DispatchSemaphore(value: 0)
        let interruption = Interruption { end.signal() }
        if endsWithInput {
            Thread.detachNewThread {
                while readLine() != nil {}
                end.signal()
            }
        }
        end.wait()
        interruption.end()
    }

    private func start(_ options: TestAPNsServer.Options) throws -> TestAPNsServer {
        let script: Script
        if hasFaults { script = Faults.script() } else { script = { _ in Behavior.accept() } }
        let server = waiting {
            try? await TestAPNsServer(options, onAccept: { Self.print($0) }, script: script)
        }
        guard let server else {
            throw PushCryptError(
                .fileSystemError,
                "The port \(options.port) can't be used. Give another one with '--port'.")
        }
        return server
    }

    private func writeCredentials(into directory: String) throws {
        let files = [
            "ca.pem": Certificates.authority, "key.p8": ProviderKey.first.p8,
            "client.pem": Certificates.client,
            "client.key": Certificates.clientKey,
        ]
        for (name, text) in files {
            let isPrivate = name.hasPrefix("key") || name.hasSuffix("key")
            try OutputFile.write(
                Array("\(text)\n".utf8), to: "\(directory)/\(name)", isPrivate: isPrivate)
        }
    }

    private func facts(of server: TestAPNsServer, _ key: ProviderKey) -> String {
        var line = JSONObjectText()
        line.append("host", server.host)
        line.append("keyID", key.keyID)
        line.append("port", server.port)
        line.append("teamID", key.teamID)
        line.append("topic", topic)
        return String(decoding: line.object, as: UTF8.self)
    }

    /// Prints an accepted push: its payload is one JSON object, as the server has checked.
    private static func print(_ push: Request) {
        var line = JSONObjectText()
        line.append("apns-id", push.id.uuidString)
        line.append("device", push.deviceToken)
        line.append("topic", push.topic)
        line.append("type", push.headers["apns-push-type"] ?? "")
        line.append("expiration", push.headers["apns-expiration"] ?? "")
        if let payload = try? JSONDocument(scanning: push.payload.span).minified(push.payload.span)
            .bytes
        {
            line.append("payload", json: payload)
        } else {
            line.append("payload", String(decoding: push.payload, as: UTF8.self))
        }
        try? Output.line(String(decoding: line.object, as: UTF8.self))
    }
}
#endif
