public import PushCryptCore
public import PushCryptFoundation
internal import PushCryptKeyring

/// The request that hands a sealed push to its carrier.
///
/// ```swift
/// let sealer = Sealer(.signed(by: keyring), carrier: .expo)
/// let push = try sealer.seal(json: json, for: device)
/// let request = try push.request(to: "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]")
/// ```
///
/// The URL, the method and your credentials aren't part of it.
public struct CarrierRequest: Sendable, Hashable {
    /// The body: one JSON object in UTF-8.
    public let body: [UInt8]

    /// The header fields, by their names.
    public let headers: [String: String]

    /// The body as `Data`.
    public var data: Data { Data(body) }

    init(_ body: JSONObjectText) {
        self.init(body.object, headers: ["Content-Type": "application/json"])
    }

    init(_ body: [UInt8], headers: [String: String]) {
        self.body = body
        self.headers = headers
    }
}

extension SealedPush {
    /// Returns the request that hands the push to the carrier that it is sealed for.
    ///
    /// | carrier | token | body |
    /// |---|---|---|
    /// | ``Carrier/apns`` | in the URL | the payload |
    /// | ``Carrier/firebase`` | registration token | `message` with `apns` |
    /// | ``Carrier/firebaseAndroid`` | registration token | `message` with `android` and `data` |
    /// | ``Carrier/expo`` | Expo push token | one message |
    /// | ``Carrier/oneSignal`` | subscription ID | one notification |
    ///
    /// Only APNs gets the header `apns-id`.
    ///
    /// - Parameters:
    ///   - token: The carrier's token of the device.
    ///   - appID: The app's ID at OneSignal. Other carriers don't need it.
    /// - Returns: The request.
    /// - Throws: ``PushCryptError`` with `missingValue` if the token or the app's ID is missing;
    ///   with `invalidHeader` if the token isn't valid; with `notSealable` if the library doesn't
    ///   know the carrier.
    public func request(to token: String, appID: String? = nil) throws(PushCryptError)
        -> CarrierRequest
    {
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw PushCryptError(
                .invalidHeader,
                "The device token isn't valid. Give it as the carrier has issued it.")
        }
        let content = try CarrierContent(self)
        switch carrier {
        case .apns: return .apns(content)
        case .firebase: return .firebase(content, token)
        case .firebaseAndroid: return .firebaseAndroid(content, token)
        case .expo: return .expo(content, token)
        case .oneSignal: return try .oneSignal(content, token, appID: appID)
        default:
            let names = Carrier.all.map(\.rawValue).joined(separator: ", ")
            throw PushCryptError(
                .notSealable,
                "The carrier's request isn't known. Use its payload, or one of \(names).")
        }
    }
}
