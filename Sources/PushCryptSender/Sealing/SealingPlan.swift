internal import PushCryptCore
internal import PushCryptPayload

/// The settings of a sealer and of a push type, which decide the form of a push.
///
/// It is created once for each payload.
struct SealingPlan: Sendable {
    let type: PushType
    let carrier: CarrierProfile
    let authentication: MessageFormat.Authentication
    let padding: Padding
    let placeholder: Placeholder
    let exposedKeys: Set<ExposedKey>
    let truncatableFields: [AlertField]

    init(_ sealer: Sealer, _ type: PushType) {
        self.type = type
        carrier = CarrierProfile(sealer.carrier)
        authentication = sealer.authentication.isSigned ? .ed25519 : .anonymous
        padding = sealer.padding
        placeholder = sealer.placeholder
        exposedKeys = sealer.exposedKeys
        truncatableFields = sealer.truncatableFields
    }

    /// Throws if the carrier can't take a push with these headers and the sealer's settings.
    ///
    /// - Throws: ``PushCryptError`` with `notSealable`, `invalidHeader`, `invalidPlaceholder` or
    ///   `invalidPayload`.
    func check(_ headers: APNsHeaders, _ original: OriginalPayload) throws(PushCryptError) {
        try carrier.check(headers)
        guard type == .alert else { return }
        try carrier.check(exposedKeys, of: original)
        try carrier.check(placeholder)
    }
}
