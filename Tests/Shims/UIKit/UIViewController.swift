/// Stands in for Apple's class of the same name.
@MainActor open class UIViewController: UIResponder {
    private var loaded: UIView?

    /// Stands in for Apple's property of the same name, which loads the view.
    ///
    /// Apple's property is an implicitly unwrapped optional.
    open var view: UIView {
        get {
            if loaded == nil { loadView() }
            return loaded ?? UIView()
        }
        set { loaded = newValue }
    }

    /// Stands in for Apple's method of the same name.
    open func loadView() { view = UIView() }

    /// Stands in for Apple's method of the same name.
    open func loadViewIfNeeded() { _ = view }
}
