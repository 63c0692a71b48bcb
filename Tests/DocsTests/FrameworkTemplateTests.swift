#if !canImport(Darwin)
import ExpoModulesCore
import Flutter
import Foundation
import PushCryptApple
import PushCryptTesting
import React
import TestSupport
import Testing

@testable import FrameworkTemplates

/// The modules that `pushcrypt xcode write` writes for frameworks, compiled against stand-ins.
@Suite struct FrameworkTemplateTests {
    private static let json = #"{"aps":{"alert":"text"},"order":7}"#
    private static let setting = "PushCryptKeychainGroup"

    /// A registrar and messenger of Flutter.
    private final class Registrar: FlutterPluginRegistrar, FlutterBinaryMessenger {
        var plugin: (any FlutterPlugin)?
        var channel = ""

        func messenger() -> any FlutterBinaryMessenger { self }

        func addMethodCallDelegate(_ delegate: any FlutterPlugin, channel: FlutterMethodChannel) {
            plugin = delegate
            self.channel = channel.name
        }
    }

    private func userInfo(
        from carrier: Carrier = .apns, _ type: PushType = .alert, json: String = json
    ) throws -> [AnyHashable: Any] {
        let push = try Sealer(.signed(by: TestKeys.sender()), carrier: carrier).seal(
            json: json, for: TestKeys.device().publicKey, headers: APNsHeaders(type))
        return try CarrierStandIn(carrier).deliver(push)
    }

    @Test("The bridge opens a notification and a background push of the app's carrier")
    func bridgeOpens() throws {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: try TestKeys.sender().publicKey))
        configuration.carrier = .expo
        let shown = try userInfo(from: .expo)
        #expect(
            try PushCryptBridge.open(shown, as: .notification, with: configuration) == Self.json)
        let json = #"{"aps":{"content-available":1},"order":7}"#
        let silent = try userInfo(from: .expo, .background, json: json)
        #expect(try PushCryptBridge.open(silent, as: .background, with: configuration) == json)
        let error = thrownError {
            try PushCryptBridge.open(silent, as: .notification, with: configuration)
        }
        #expect(error?.code == .wrongKind)
    }

    @Test("The bridge takes an endpoint with TLS, or one on this machine")
    func endpoint() throws {
        for url in ["https://api.example.com/devices", "http://localhost:8080/devices"] {
            #expect(throws: Never.self) { try PushCryptBridge(url: url, headers: [:]) }
        }
        for url in ["http://api.example.com/devices", "", "devices"] {
            #expect(throws: URLError.self) { try PushCryptBridge(url: url, headers: [:]) }
        }
    }

    @Test("Expo's module has its functions") func expo() {
        #expect(
            PushCryptExpoModule().definition().names == ["PushCrypt", "register", "answer", "open"])
    }

    @Test("Flutter's plug-in answers its channel") func flutter() throws {
        let registrar = Registrar()
        PushCryptFlutterPlugin.register(with: registrar)
        let plugin = try #require(registrar.plugin)
        #expect(registrar.channel == "pushcrypt")
        var answers: [Any?] = []
        plugin.handle(FlutterMethodCall("close", nil)) { answers.append($0) }
        plugin.handle(FlutterMethodCall("open", ["userInfo": try userInfo()])) {
            answers.append($0)
        }
        #expect(answers[0] as? String == FlutterMethodNotImplemented)
        let error = try #require(answers[1] as? FlutterError)
        // The tests have no Info.plist.
        #expect(error.code == "not-opened" && error.message?.contains(Self.setting) == true)
    }

    @Test("React Native's module rejects what it can't open") func reactNative() throws {
        let userInfo = try #require(try userInfo() as? [String: Any])
        var code: String?
        var message: String?
        PushCryptReactModule().open(
            userInfo, resolve: { _ in Issue.record("It was opened.") },
            reject: { (rejected, text, _) in
                code = rejected
                message = text
            })
        #expect(code == "not-opened" && message?.contains(Self.setting) == true)
    }

    @Test("An app in Objective-C gets the error") func objectiveC() throws {
        #expect(
            thrownError { try PushCryptObjC.open(userInfo()) }?.reason.contains(Self.setting)
                == true)
    }
}
#endif
