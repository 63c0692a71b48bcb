import Foundation
import Hummingbird
import Logging
import PushCryptAPNs

@main
struct ExampleServer {
    static func main() async {
        do {
            let settings = try Settings(path: CommandLine.arguments.dropFirst().first ?? "settings.json")
            let apns = try APNsClient(settings.authentication, environment: settings.environment)
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

    /// Returns the server: its routes, and the service that empties the outbox.
    static func application(
        _ settings: Settings, _ apns: some PushService, pause: Duration = .seconds(30),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> some ApplicationProtocol {
        var logger = Logger(label: "example-server")
        logger.logLevel = .notice
        let file = KeyringFile<SigningKey>(path: settings.keyring)
        let key = try file.readOrCreate(at: now()).primary.key
        logger.notice("signing key for the app", metadata: ["jwk": "\(key.publicKey.jwk)"])
        let keys = try KeyringSource(file) { [logger] in logger.error("The old signing keys stay in use: \($0)") }
        let store = try Store(path: settings.database)
        let (posted, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // What the last run left is sent first.
        wake.yield()
        let sender = OutboxSender(
            store: store, apns: apns, topic: settings.topic, posted: posted, pause: pause, logger: logger, now: now)
        let routes = Routes(
            access: Access(settings: settings), store: store, keys: keys, apns: apns, topic: settings.topic, wake: wake,
            now: now)
        return Application(
            router: routes.router(), configuration: .init(address: .hostname("127.0.0.1", port: settings.port)),
            services: [sender], logger: logger)
    }
}

/// The part of `APNsClient` that the server uses, so that tests can replace it.
protocol PushService: Sendable {
    func send(_ push: APNsPush, to deviceToken: String) async throws(APNsError) -> APNsReceipt
    func check(topic: String) async throws(APNsError)
}

extension APNsClient: PushService {}
