import Foundation
import PushCryptApple
import React

/// The native module `PushCrypt` of a React Native app.
#if canImport(ObjectiveC)
@objc(PushCrypt)
#endif
public final class PushCryptReactModule: NSObject {
    /// Registers the device; the options are `token`, `url`, `headers` and `account`.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public func register(
        _ options: [String: Any], resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        let token = options["token"] as? String ?? ""
        let url = options["url"] as? String ?? ""
        let headers = options["headers"] as? [String: String] ?? [:]
        let account = options["account"] as? String ?? ""
        let promise = Promise(resolve: resolve, reject: reject)
        Task {
            do {
                try await PushCryptBridge(url: url, headers: headers, account: account).register(
                    token: token)
                promise.resolve(nil)
            } catch {
                promise.reject("not-registered", "\(error)", error)
            }
        }
    }

    /// Returns the original of a push as JSON.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public func open(
        _ userInfo: [String: Any], resolve: RCTPromiseResolveBlock, reject: RCTPromiseRejectBlock
    ) {
        do {
            resolve(try PushCryptBridge.open(userInfo))
        } catch {
            reject("not-opened", "\(error)", error)
        }
    }

    /// React Native may call the blocks on any thread.
    private struct Promise: @unchecked Sendable {
        let resolve: RCTPromiseResolveBlock
        let reject: RCTPromiseRejectBlock
    }
}
