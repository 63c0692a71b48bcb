// README.md, "App": ReadmeTests compares and runs the lines between the marks.
import Foundation
import PushCryptApple

enum AppSnippet {
    /// The app's connection to its server.
    struct Server {
        let register: @Sendable (String, String) async throws -> DeviceRegistrar.Answer
    }

    static func run(
        _ store: any KeyringStore, _ identifierForVendor: UUID?, _ deviceToken: Data, _ server: Server
    ) async throws {
        // begin
        let registrar = try DeviceRegistrar(store: store, vendor: identifierForVendor)
        try await registrar.register(deviceToken: deviceToken) { registration, token in
            try await server.register(registration, token)
        }
        // end
    }
}
