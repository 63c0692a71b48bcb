import ExpoModulesCore
import PushCryptApple

/// The module `PushCrypt` of an Expo app.
nonisolated public final class PushCryptExpoModule: Module {
    /// The functions that JavaScript calls.
    public func definition() -> ModuleDefinition {
        Name("PushCrypt")

        AsyncFunction("register") {
            (token: String, url: String, headers: [String: String], account: String) in
            try await PushCryptBridge(url: url, headers: headers, account: account).register(
                token: token)
        }

        AsyncFunction("answer") {
            (userInfo: [String: Any], token: String, url: String, headers: [String: String]) in
            try await PushCryptBridge(url: url, headers: headers).answer(userInfo, token: token)
        }

        AsyncFunction("open") { (userInfo: [String: Any], isBackground: Bool) in
            try PushCryptBridge.open(userInfo, kind: isBackground ? .background : .notification)
        }
    }
}
