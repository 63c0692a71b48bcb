import Flutter
import Foundation
import PushCryptApple

/// The plug-in of a Flutter app, which answers the channel `pushcrypt`.
public final class PushCryptFlutterPlugin: NSObject, FlutterPlugin {
    /// Creates the channel.
    public static func register(with registrar: any FlutterPluginRegistrar) {
        let channel = FlutterMethodChannel(
            name: "pushcrypt", binaryMessenger: registrar.messenger())
        registrar.addMethodCallDelegate(PushCryptFlutterPlugin(), channel: channel)
    }

    /// Answers a call of Dart.
    public func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        let arguments = call.arguments as? [String: Any] ?? [:]
        switch call.method {
        case "register": register(arguments, result)
        case "open": open(arguments, result)
        default: result(FlutterMethodNotImplemented)
        }
    }

    private func register(_ arguments: [String: Any], _ result: @escaping FlutterResult) {
        let answer = Answer(result: result)
        let token = arguments["token"] as? String ?? ""
        let url = arguments["url"] as? String ?? ""
        let headers = arguments["headers"] as? [String: String] ?? [:]
        let account = arguments["account"] as? String ?? ""
        Task { @MainActor in
            do {
                try await PushCryptBridge(url: url, headers: headers, account: account).register(
                    token: token)
                answer.result(nil)
            } catch {
                answer.result(
                    FlutterError(code: "not-registered", message: "\(error)", details: nil))
            }
        }
    }

    private func open(_ arguments: [String: Any], _ result: FlutterResult) {
        do {
            result(try PushCryptBridge.open(arguments["userInfo"] as? [AnyHashable: Any] ?? [:]))
        } catch {
            result(FlutterError(code: "not-opened", message: "\(error)", details: nil))
        }
    }

    /// Flutter wants its answer on the main thread.
    private struct Answer: @unchecked Sendable {
        let result: FlutterResult
    }
}
