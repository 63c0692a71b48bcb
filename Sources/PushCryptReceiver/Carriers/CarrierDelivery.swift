package import PushCryptCore
package import PushCryptKeyring

/// The form in which a carrier delivers a push to an iPhone: the location of the sealed value, and the members that the
/// carrier adds.
///
/// | Carrier | Sealed value | Added members |
/// |---|---|---|
/// | APNs, Amazon SNS, Azure | `ENCRYPTED_DATA` | none |
/// | Firebase | `ENCRYPTED_DATA` | `gcm.message_id`, `google.c.…` |
/// | Expo | `body.ENCRYPTED_DATA` | `experienceId`, `scopeKey`, `projectId` |
/// | OneSignal | `custom.a.ENCRYPTED_DATA` | `custom.i` |
///
/// Nothing that a carrier adds is authenticated. The carriers' own frameworks need it, for example to report a tap.
package struct CarrierDelivery: Sendable {
    /// The names from the dictionary to the dictionary with the sealed value; empty for the dictionary itself.
    let container: [String]

    /// The paths of the added members; a name that ends with `.*` stands for all names with that prefix.
    private let added: [[String]]

    /// The names from the dictionary to the sealed value.
    var place: [String] { container + [Envelope.payloadKey] }

    /// The form of APNs itself.
    package static let direct = CarrierDelivery()

    private init(in container: [String] = [], adding added: [[String]] = []) {
        self.container = container
        self.added = added
    }

    /// Returns the form of a carrier's deliveries.
    ///
    /// - Throws: ``PushCryptError`` with `invalidConfiguration` if the carrier isn't known.
    package init(of carrier: Carrier) throws(PushCryptError) {
        switch carrier {
        case .apns, .sns, .azure, .firebaseAndroid:
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
                .invalidConfiguration, "The receiver's carrier isn't known. Set it to one of \(names).")
        }
    }

    /// Returns a Boolean value that indicates whether the carrier may add a member.
    func isAdded(_ path: [String]) -> Bool {
        added.contains { pattern in
            guard pattern.count == path.count, let name = path.last, let last = pattern.last,
                pattern.dropLast() == path.dropLast()
            else { return false }
            return last.hasSuffix(".*") ? name.hasPrefix(last.dropLast()) : name == last
        }
    }

    /// Returns a Boolean value that indicates whether a dictionary contains the sealed value or an added member.
    func isParent(_ path: [String]) -> Bool {
        (added + [place]).contains { $0.count > path.count && Array($0.prefix(path.count)) == path }
    }
}
