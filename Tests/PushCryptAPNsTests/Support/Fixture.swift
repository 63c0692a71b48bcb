#if APNs
import Foundation
import Logging
import PushCryptAPNsTesting
import TestSupport
import Testing

@testable import PushCryptAPNs

/// A server and a client for one test, which are stopped after it.
struct Fixture {
    let server: TestAPNsServer
    let client: APNsClient

    /// A device token.
    static let device = String(repeating: "0a", count: 32)

    /// Runs a test with a server that follows a script, and a client with short pauses.
    static func run(
        _ options: TestAPNsServer.Options = .init(), connections: Int = 1,
        timeout: TimeInterval = 20,
        idle: TimeInterval = 60, sealedOnly: Bool = false,
        authentication: APNsAuthentication? = nil,
        logger: Logger? = nil,
        script: @escaping Script = { _ in .accept() }, _ body: (Fixture) async throws -> Void
    ) async throws {
        let server = try await TestAPNsServer(options, script: script)
        let client = try client(
            of: server, connections, timeout, idle, sealedOnly, authentication ?? credentials(),
            logger)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Fixture(server: server, client: client)))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try await server.stop()
        try result.get()
    }

    /// Checks that a push that the server refuses once is sent again without a pause.
    ///
    /// The client's pause before an attempt that counts would exceed the test's limit.
    static func expectNoPause(after refusal: Behavior) async throws {
        let server = try await TestAPNsServer(script: script(refusal))
        let environment = try APNsEnvironment(
            host: "localhost", port: server.port, trusting: Certificates.authority)
        let client = try APNsClient(
            credentials(), environment: environment, sealedOnly: false, connections: 1,
            timeout: 100, pause: 10_000)
        let receipt = try await client.send(push(), to: device(number: 0))
        #expect(receipt.attempts == 1 && !receipt.mayArriveTwice)
        await client.shutDown()
        try await server.stop()
    }

    static func client(
        of server: TestAPNsServer, _ connections: Int = 1, _ timeout: TimeInterval = 20,
        _ idle: TimeInterval = 60, _ sealedOnly: Bool = false,
        _ authentication: APNsAuthentication? = nil,
        _ logger: Logger? = nil
    ) throws -> APNsClient {
        let environment = try APNsEnvironment(
            host: "localhost", port: server.port, trusting: Certificates.authority)
        return try APNsClient(
            authentication ?? credentials(), environment: environment, sealedOnly: sealedOnly,
            connections: connections,
            timeout: timeout, pause: 0.02, idle: idle,
            logger: logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    static func credentials(
        _ key: ProviderKey = .first, tokenFile: String? = nil
    ) throws -> APNsAuthentication {
        try .token(p8: key.p8, keyID: key.keyID, teamID: key.teamID, tokenFile: tokenFile)
    }

    /// Returns a push that isn't sealed.
    static func push(
        _ json: String = #"{"aps":{"alert":"-"}}"#,
        headers: APNsHeaders = APNsHeaders(topic: "com.example.app")
    ) -> APNsPush {
        APNsPush(payload: Array(json.utf8), headers: headers)
    }

    /// Returns the error of a push that isn't accepted.
    func failure(_ push: APNsPush = push(), to device: String = device) async -> APNsError? {
        do {
            _ = try await client.send(push, to: device)
            return nil
        } catch {
            return error
        }
    }

    /// Sends many pushes at once, and returns their results.
    func sendMany(_ count: Int, concurrently limit: Int = 500) async -> [Result<
        APNsReceipt, APNsError
    >] {
        var results: [Result<APNsReceipt, APNsError>] = []
        let pushes = (0..<count).map { (push: Self.push(), device: Self.device(number: $0)) }
        for await result in client.send(pushes, concurrently: limit) { results.append(result) }
        return results
    }

    /// Sends many pushes by workers, of which none waits for another.
    func sendInAnyOrder(_ count: Int, workers: Int) async -> [Result<APNsReceipt, APNsError>] {
        await withTaskGroup(of: [Result<APNsReceipt, APNsError>].self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var results: [Result<APNsReceipt, APNsError>] = []
                    for number in stride(from: worker, to: count, by: workers) {
                        do throws(APNsError) {
                            let device = Self.device(number: number)
                            results.append(.success(try await client.send(Self.push(), to: device)))
                        } catch {
                            results.append(.failure(error))
                        }
                    }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    static func device(number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }
}
#endif
