internal import PushCryptCore

/// The format of a sealed file: a version, the header of a stream, and chunks (section 11 of
/// Docs/Format.md).
package enum AttachmentFormat {
    /// The first byte.
    static let version: UInt8 = 1

    /// The length of each chunk but the last before it is sealed, in bytes.
    package static let chunkLength = 65_536

    /// The length of the version and the header, in bytes.
    static let startLength = 1 + SecretStream.headerLength

    /// Returns the length of a padded file by Padmé (https://doi.org/10.2478/popets-2019-0056): at
    /// least 1,024 bytes, and at most 12 % more than the file.
    static func paddedLength(_ length: Int) -> Int {
        let length = max(length, 1024)
        let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - significant)) - 1
        return (length + mask) & ~mask
    }

    /// Returns the length of a sealed file.
    package static func sealedLength(_ length: Int) -> Int {
        let padded = paddedLength(length)
        return startLength + padded + (padded + chunkLength - 1) / chunkLength
            * SecretStream.overhead
    }
}
