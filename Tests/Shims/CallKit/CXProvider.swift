public import Foundation

/// Stands in for Apple's class of the same name.
open class CXProvider: NSObject {
    /// Stands in for Apple's method of the same name, and starts no call.
    ///
    /// As Apple documents it
    /// (documentation/callkit/cxprovider/reportnewincomingvoippushpayload(_:completion:)), the
    /// block is executed "after allowing or disallowing the call", "on a private serial queue",
    /// with an error in the second case. Unknown: the time until then, and whether the error of Do
    /// Not Disturb or of a blocked caller comes here or only to the app's later report. The pages
    /// of CXErrorCodeNotificationServiceExtensionError name neither.
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any],
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        TestCalls.current.report(dictionaryPayload, completion)
    }
}

/// Not Apple's: the calls that extensions have reported, for tests.
package final class TestCalls: @unchecked Sendable {
    package static let current = TestCalls()

    /// An error of the system.
    package struct Refusal: Error {
        package init() {}
    }

    private let queue = DispatchQueue(label: "calls")
    private var refused: Set<NSDictionary> = []
    private var reported: [NSDictionary] = []

    /// Disallows the call of a payload.
    package func refuse(_ payload: [AnyHashable: Any]) {
        _ = queue.sync { refused.insert(payload as NSDictionary) }
    }

    /// Returns how often the call of a payload was reported, after earlier blocks.
    package func reports(_ payload: [AnyHashable: Any]) -> Int {
        queue.sync { reported.count { $0 == payload as NSDictionary } }
    }

    fileprivate func report(
        _ payload: [AnyHashable: Any], _ completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        let call = payload as NSDictionary
        queue.sync { reported.append(call) }
        let isRefused = queue.sync { refused.contains(call) }
        queue.async { completion?(isRefused ? Refusal() : nil) }
    }
}
