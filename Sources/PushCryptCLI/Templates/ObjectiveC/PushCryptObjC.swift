import Foundation
import PushCryptApple

/// PushCrypt for an app in Objective-C: `PushCryptObjC` in the header `YourApp-Swift.h`.
#if canImport(ObjectiveC)
@objc(PushCryptObjC)
#endif
public final class PushCryptObjC: NSObject {
    /// Registers the device with the token of the carrier, or the hexadecimal digits of APNs'
    /// token.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func register(
        token: String, url: String, headers: [String: String],
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task {
            do {
                try await PushCryptBridge(url: url, headers: headers).register(token: token)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Returns the original of a push as JSON.
    #if canImport(ObjectiveC)
    @objc(openUserInfo:error:)
    #endif
    public static func open(_ userInfo: [AnyHashable: Any]) throws -> String {
        try PushCryptBridge.open(userInfo)
    }
}
