internal import PushCryptCore
package import PushCryptKeyring

// The carriers' forms of a push at an iPhone.
//
// | Carrier | Sealed value | Added members |
// |---|---|---|
// | APNs | `ENCRYPTED_DATA` | none |
// | Firebase | `ENCRYPTED_DATA` | `gcm.message_id`, `google.c.…` |
// | Expo | `body.ENCRYPTED_DATA` | `experienceId`, `scopeKey`, `projectId` |
// | OneSignal | `custom.a.ENCRYPTED_DATA` | `custom.i` |
extension SealedPlace {
    /// Returns the place in a carrier's deliveries.
    ///
    /// - Throws: ``PushCryptError`` with `invalidConfiguration` if the carrier isn't known.
    package init(of carrier: Carrier) throws(PushCryptError) {
        switch carrier {
        case .apns, .firebaseAndroid:
            self = .direct
        case .firebase:
            self.init(adding: [["gcm.message_id"], ["google.c.*"]])
        case .expo:
            self.init(in: ["body"], adding: [["experienceId"], ["scopeKey"], ["projectId"]])
        case .oneSignal:
            self.init(in: ["custom", "a"], adding: [["custom", "i"]])
        default:
            let names = Carrier.all.map(\.rawValue).joined(separator: ", ")
            throw PushCryptError(
                .invalidConfiguration,
                "The receiver's carrier isn't known. Set it to one of \(names).")
        }
    }
}
