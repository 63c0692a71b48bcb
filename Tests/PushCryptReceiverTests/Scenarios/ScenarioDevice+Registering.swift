import Foundation
import PushCryptCore
import PushCryptKeyring

@testable import PushCryptReceiver

extension ScenarioDevice {
    /// Calls the registrar of an account, and returns the outcome.
    func call(_ name: String, _ account: ScenarioAccount, token: String) async -> String {
        let registrar = registrar(account)
        let server = account.server
        do {
            switch name {
            case "renew":
                try await registrar.renew(DeviceToken(token)) { try server.answer($0) }
                return "done"
            case "ask":
                let push: [AnyHashable: Any] = ["aps": ["content-available": 1]]
                let isAsked = try await registrar.register(ifAskedBy: push, DeviceToken(token)) {
                    try server.answer($0)
                }
                return isAsked ? "asked" : "not-due"
            case "remove":
                try registrar.removeAccount(recordingIn: store.removedKeys)
                return "done"
            default:
                return try await registrar.register(DeviceToken(token)) { try server.answer($0) }
                    .description
            }
        } catch let error as PushCryptError {
            return error.code.rawValue
        } catch {
            return "unreachable"
        }
    }
}
