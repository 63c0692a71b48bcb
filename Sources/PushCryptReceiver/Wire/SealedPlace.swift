internal import PushCryptCore

/// The place of the sealed value in the dictionary of a push, and the members that the carrier
/// adds.
///
/// Nothing that a carrier adds is authenticated. Its own framework needs it, for example to report
/// a tap.
package struct SealedPlace: Sendable {
    /// The names from the dictionary to the dictionary with the sealed value; empty for the
    /// dictionary itself.
    let container: [String]

    /// The paths of the added members; a name that ends with `.*` stands for all names with that
    /// prefix.
    private let added: [[String]]

    /// The names from the dictionary to the sealed value.
    var place: [String] { container + [Envelope.payloadKey] }

    /// The place in a push that APNs delivers as it was sent.
    package static let direct = SealedPlace()

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - container: The names from the dictionary to the dictionary with the sealed value.
    ///   - added: The paths of the added members.
    init(in container: [String] = [], adding added: [[String]] = []) {
        self.container = container
        self.added = added
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

    /// Returns a Boolean value that indicates whether a dictionary contains the sealed value or an
    /// added member.
    func isParent(_ path: [String]) -> Bool {
        (added + [place]).contains { $0.count > path.count && Array($0.prefix(path.count)) == path }
    }
}
