internal import PushCryptCore
internal import PushCryptPayload

/// Checks of the attachments that the device downloads (section 11 of Docs/Format.md).
extension RuleCheck {
    mutating func checkAttachments() {
        let key = MediaAttachment.payloadKey
        guard outline.document.member(key, in: outline.bytes.span) != nil else { return }
        if isSealed { return report(.attachmentReadable, at: Finding.Location([key])) }
        let values = (try? JSONValue(forDisplay: outline.bytes))?[key]?.arrayValue ?? []
        if values.isEmpty {
            report(.attachmentInvalid, at: Finding.Location([key]), "an array is expected")
        }
        for (index, value) in values.enumerated() {
            let location = Finding.Location([key, String(index)])
            do throws(MediaAttachment.Problem) {
                let url = try MediaAttachment(value).url
                if url.lowercased().hasPrefix("http:") {
                    report(.attachmentWithoutTLS, at: location)
                }
            } catch {
                report(.attachmentInvalid, at: location, error.text)
            }
        }
    }
}
