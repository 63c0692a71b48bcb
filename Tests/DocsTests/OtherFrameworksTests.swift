#if !canImport(Darwin)
import Foundation
import PushCryptApple
import PushCryptTesting
import Testing

// MARK: Stand-ins for declarations of Flutter and React Native of the same names

private struct FlutterMethodCall {
    let method: String
    let arguments: Any?
}

private struct FlutterError {
    let code: String
    let message: String?
    let details: Any?
}

private typealias FlutterResult = (Any?) -> Void
private typealias RCTPromiseResolveBlock = (Any?) -> Void
private typealias RCTPromiseRejectBlock = (String?, String?, (any Error)?) -> Void

// swift-format-ignore: AlwaysUseLowerCamelCase
private let FlutterMethodNotImplemented = "not implemented"

private final class FlutterMethodChannel {
    private(set) var handler: ((FlutterMethodCall, @escaping FlutterResult) -> Void)?

    init(name: String, binaryMessenger: String) {}

    func setMethodCallHandler(_ handler: ((FlutterMethodCall, @escaping FlutterResult) -> Void)?) {
        self.handler = handler
    }
}

/// The code of the page about Flutter and React Native.
@Suite struct OtherFrameworksTests {
    private let json = #"{"aps":{"alert":"text"},"order":7}"#

    private func userInfo() throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: TestKeys.sender())).seal(
            json: json.utf8, for: TestKeys.device().publicKey)
        return try SystemDelivery.userInfo(push.payload)
    }

    /// The page's function, with keys instead of the app's keychain and Info.plist.
    private struct App {
        struct KeychainStore: KeyStore {
            func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
                try InMemoryKeyStore([try TestKeys.device()]).recipientKey(id)
            }

            func signerLists() throws -> [String] { [] }
        }

        nonisolated func original(of userInfo: [AnyHashable: Any]) throws -> String {
            let opener = Opener(keys: KeychainStore(), senderPolicy: .infoPlist)
            let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .reject)
            return String(decoding: reader.json, as: UTF8.self)
        }
    }

    /// The page's channel and module, with a function of the test.
    private struct Bridge {
        let original: ([AnyHashable: Any]) throws -> String

        func original(of userInfo: [AnyHashable: Any]) throws -> String { try original(userInfo) }

        func channel(_ messenger: String) -> FlutterMethodChannel {
            let channel = FlutterMethodChannel(name: "pushcrypt", binaryMessenger: messenger)
            channel.setMethodCallHandler { call, result in
                guard call.method == "open", let userInfo = call.arguments as? [AnyHashable: Any]
                else {
                    return result(FlutterMethodNotImplemented)
                }
                do {
                    result(try original(of: userInfo))
                } catch {
                    result(FlutterError(code: "not-opened", message: "\(error)", details: nil))
                }
            }
            return channel
        }

        func open(
            _ userInfo: [AnyHashable: Any], resolve: RCTPromiseResolveBlock,
            reject: RCTPromiseRejectBlock
        ) {
            do { resolve(try original(of: userInfo)) } catch {
                reject("not-opened", "\(error)", error)
            }
        }
    }

    @Test("Dart and JavaScript get the original, or an error")
    func bridgeReturnsTheOriginal() throws {
        let opener = Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: try TestKeys.sender().publicKey))
        let bridge = Bridge {
            String(
                decoding: try PayloadReader(userInfo: $0, opener: opener, unsealed: .reject).json,
                as: UTF8.self)
        }
        let push = try userInfo()
        var results: [Any?] = []
        let handler = try #require(bridge.channel("").handler)
        handler(FlutterMethodCall(method: "open", arguments: push)) { results.append($0) }
        handler(FlutterMethodCall(method: "open", arguments: ["aps": ["alert": "Forged"]])) {
            results.append($0)
        }
        handler(FlutterMethodCall(method: "close", arguments: nil)) { results.append($0) }
        #expect(results[0] as? String == json)
        #expect((results[1] as? FlutterError)?.message?.contains("not-sealed") == true)
        #expect(results[2] as? String == "not implemented")
        var codes: [String?] = []
        bridge.open(
            push, resolve: { results.append($0) }, reject: { code, _, _ in codes.append(code) })
        bridge.open(
            ["aps": 1], resolve: { results.append($0) },
            reject: { code, _, _ in codes.append(code) })
        #expect(results.last as? String == json && results.count == 4 && codes == ["not-opened"])
    }

    @Test("Without settings in the Info.plist, the page's function throws an error that names them")
    func functionNamesTheSettings() throws {
        let error = #expect(throws: PushCryptError.self) { try App().original(of: try userInfo()) }
        #expect(error?.reason.hasPrefix("PushCryptServerKey ") == true)
    }
}
#endif
