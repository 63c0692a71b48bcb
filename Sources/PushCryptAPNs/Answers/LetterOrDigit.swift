#if APNs
extension UInt8 {
    /// A Boolean value that indicates whether the byte is a letter or a digit of ASCII.
    var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
#endif
