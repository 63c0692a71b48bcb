/// A type whose values hide their members from `dump` and debug descriptions.
package protocol Redacted: CustomReflectable {}

extension Redacted {
    /// A mirror without members.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
