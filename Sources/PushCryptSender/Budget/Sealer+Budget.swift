public import PushCryptCore
public import PushCryptPayload

extension Sealer {
    /// Returns the size budget of a payload, exact to the byte.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `invalidPlaceholder`, `notSealable`, or
    ///   `invalidPayload` if the payload has no readable part.
    public func budget(
        json: some UTF8Text, type: PushType = .alert
    ) throws(PushCryptError) -> PayloadBudget {
        let original = try OriginalPayload(json.bytesForPushCrypt)
        return try PayloadBudget(original, MessageLayout(original, SealingPlan(self, type)))
    }

    /// Returns the size budget of a payload, and the number of bytes by which it is too long after
    /// truncation.
    ///
    /// - Returns: The budget, and 0 or more bytes; `nil` if the payload has no readable part.
    /// - Throws: ``PushCryptError`` as ``budget(json:type:)`` does.
    package func sizes(
        of json: [UInt8], _ type: PushType
    ) throws(PushCryptError) -> (budget: PayloadBudget, excess: Int)? {
        var original = try OriginalPayload(json)
        var layout: MessageLayout
        do throws(PushCryptError) {
            layout = try MessageLayout(original, SealingPlan(self, type))
        } catch {
            guard error.code == .invalidPayload else { throw error }
            return nil
        }
        let budget = PayloadBudget(original, layout)
        _ = try layout.truncate(&original)
        return (budget, max(0, -layout.remaining))
    }
}
