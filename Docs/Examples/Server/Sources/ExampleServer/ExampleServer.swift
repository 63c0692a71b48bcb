import Foundation
import Hummingbird
import Logging
import PushCryptAPNs

@main
struct ExampleServer {
    static func main() async {
        do {
            let settings = try Settings(
                path: CommandLine.arguments.dropFirst().first ?? "settings.json")
            // The client doesn't wait longer than 30 seconds: a push that must wait goes back into
            // the outbox.
            let apns = try APNsClient(
                settings.authentication, environment: settings.environment, pause: 120)
            let result: Result<Void, any Error>
            do {
                result = .success(try await application(settings, apns).runService())
            } catch {
                result = .failure(error)
            }
            await apns.shutDown()
            try result.get()
        } catch {
            let reason = (error as? CocoaError)?.localizedDescription ?? "\(error)"
            FileHandle.standardError.write(Data("The server can't run: \(reason)\n".utf8))
            exit(1)
        }
    }

    /// Returns the server: its routes, and the services that empty the outbox and delete old rows.
    static func application(
        _ settings: Settings, _ apns: some PushService, timing: Timing = Timing()
    ) throws -> some ApplicationProtocol {
        // The database and the keyring are for this user alone.
        _ = umask(0o077)
        var logger = Logger(label: "example-server")
        logger.logLevel = .notice
        let store = try Store(path: settings.database)
        let (sending, wake) = (SendingState(), Wake())
        let sender = OutboxSender(
            store: store, apns: apns, topic: settings.topic, state: sending, wake: wake,
            timing: timing, logger: logger)
        let routes = Routes(
            access: Access(settings: settings), store: store,
            keys: try keys(settings, logger, at: timing.now()),
            lists: SignerLists(path: settings.signerLists), proofs: try settings.possession,
            apns: apns,
            topic: settings.topic, sending: sending, wake: wake, now: timing.now)
        return Application(
            router: routes.router(),
            configuration: .init(address: .hostname("127.0.0.1", port: settings.port)),
            services: [sender, Housekeeping(store: store, timing: timing, logger: logger)],
            logger: logger)
    }

    /// Returns the signing keys, which the first start creates.
    private static func keys(
        _ settings: Settings, _ logger: Logger, at now: Date
    ) throws -> SigningKeyringSource {
        let file = SigningKeyringFile(path: settings.keyring)
        let isNew = !FileManager.default.fileExists(atPath: settings.keyring)
        let key = try file.readOrCreate(at: now).primary.key
        // The app pins the first key. A later primary key reaches devices by lists.
        if isNew {
            logger.notice("signing key for the app", metadata: ["jwk": "\(key.publicKey.jwk)"])
        }
        return try KeyringSource(file) { logger.error("The old signing keys stay in use: \($0)") }
    }
}

/// The part of `APNsClient` that the server uses, so that tests can replace it.
protocol PushService: Sendable {
    func send(_ push: APNsPush, to deviceToken: String) async throws(APNsError) -> APNsReceipt
    func check(topic: String) async throws(APNsError)
}

extension APNsClient: PushService {}
