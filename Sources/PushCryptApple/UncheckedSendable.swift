/// The one place where what is not `Sendable` crosses threads.
///
/// Apple's headers do not say so to the compiler, but hold: a content handler may be called from any thread, delivered
/// content is changed by nobody, and a service extension is called from more than one thread by the system itself. What
/// else crosses is a copy that nobody changes any more.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
