extension CarrierRequest {
    /// Returns the request to APNs, whose token is in the URL.
    static func apns(_ content: CarrierContent) -> CarrierRequest {
        var headers: [String: String] = [:]
        for field in content.headers.fields { headers[field.name] = field.value }
        return CarrierRequest(content.payload, headers: headers)
    }
}
