internal import PushCryptCore
internal import PushCryptFoundation

extension CarrierRequest {
    /// Returns the request to APNs, whose token is in the URL.
    static func apns(_ content: CarrierContent) -> CarrierRequest {
        var headers: [String: String] = [:]
        for field in content.headers.fields { headers[field.name] = field.value }
        return CarrierRequest(content.payload, headers: headers)
    }

    /// Returns a direct send of Azure Notification Hubs
    /// (https://learn.microsoft.com/en-us/rest/api/notificationhubs/direct-send).
    static func azure(_ content: CarrierContent, _ token: String) throws(PushCryptError) -> CarrierRequest {
        var headers = [
            "Content-Type": "application/json;charset=utf-8",
            "ServiceBusNotification-Format": "apple",
            "ServiceBusNotification-DeviceHandle": token,
        ]
        for field in content.headers.fields where !["apns-expiration", "apns-id"].contains(field.name) {
            headers[field.name] = field.value
        }
        switch content.headers.expiration {
        case nil: break
        case .once:
            throw PushCryptError(.invalidHeader, "Azure can't express one attempt. Give the push a time of expiration.")
        case .at(let date): headers["ServiceBusNotification-Apns-Expiry"] = date.ISO8601Format()
        }
        return CarrierRequest(content.payload, headers: headers)
    }
}
