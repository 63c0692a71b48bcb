internal import Foundation

/// The rights of the test process.
package enum Rights {
    /// A Boolean value that indicates whether the process can give files to other users and become
    /// another user.
    ///
    /// Root cannot do so in every container.
    package static let includeOtherUsers: Bool = {
        guard geteuid() == 0, let scratch = try? Scratch() else { return false }
        return unsafe chown(scratch.write([1]), 65_534, 65_534) == 0
    }()
}
