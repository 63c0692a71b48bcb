internal import PushCryptCore
internal import PushCryptPayload

extension CarrierRequest {
    /// The platforms of endpoints for Apple's devices.
    private static let platforms = ["APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX"]

    /// Returns the parameters of `Publish`
    /// (https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html).
    ///
    /// The ARN of an endpoint names its platform: `arn:aws:sns:REGION:ACCOUNT:endpoint/APNS/APP/ID`.
    static func sns(_ content: CarrierContent, _ token: String) throws(PushCryptError) -> CarrierRequest {
        let parts = token.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0].hasPrefix("arn:"), parts[0].hasSuffix(":endpoint"),
            platforms.contains(parts[1])
        else {
            throw PushCryptError(
                .invalidHeader, "The endpoint isn't one for Apple's devices. Give its ARN, with \":endpoint/APNS/\".")
        }
        let isForCalls = parts[1].hasPrefix("APNS_VOIP")
        guard isForCalls == (content.headers.pushType == .voip) else {
            throw PushCryptError(
                .invalidHeader,
                "The endpoint doesn't fit the push type. Use one of APNS_VOIP for voip pushes, and of APNS for others.")
        }
        var message = JSONObjectText()
        // SNS requires it, and sends it to no device, because the endpoint's platform has its own.
        message.append("default", "")
        message.append(parts[1], String(decoding: content.payload, as: UTF8.self))
        var body = JSONObjectText()
        body.append("TargetArn", token)
        body.append("MessageStructure", "json")
        body.append("Message", String(decoding: message.object, as: UTF8.self))
        body.append("MessageAttributes", attributes(of: content, platform: parts[1]))
        return CarrierRequest(body)
    }

    /// The message attributes that SNS reserves for mobile pushes.
    private static func attributes(of content: CarrierContent, platform: String) -> JSONObjectText {
        var attributes = JSONObjectText()
        func append(_ name: String, _ value: String) {
            var attribute = JSONObjectText()
            attribute.append("DataType", "String")
            attribute.append("StringValue", value)
            attributes.append("AWS.SNS.MOBILE.\(name)", attribute)
        }
        append("APNS.PUSH_TYPE", content.headers.pushType.rawValue)
        append("APNS.PRIORITY", "\(content.headers.priority.rawValue)")
        if let topic = content.headers.topic { append("APNS.TOPIC", topic) }
        if let id = content.headers.collapseID { append("APNS.COLLAPSE_ID", id) }
        if let seconds = content.secondsToLive() { append("\(platform).TTL", "\(seconds)") }
        return attributes
    }
}
