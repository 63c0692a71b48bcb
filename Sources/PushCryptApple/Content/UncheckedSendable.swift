/// The only place where values cross threads that aren't `Sendable`.
///
/// Apple's headers don't declare it, but any thread may call a content handler and read delivered
/// content, and the system itself calls a service extension from several threads. Any other value
/// here is a copy that nothing changes.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value
}
