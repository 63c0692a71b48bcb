public import Foundation

/// Stands in for Apple's class of the same name.
@MainActor open class UIView: UIResponder {}

/// Stands in for Apple's class of the same name.
@MainActor open class UILabel: UIView {
    /// Stands in for Apple's property of the same name.
    open var text: String?

    /// Stands in for Apple's property of the same name.
    open var numberOfLines: Int = 1
}

/// Stands in for Apple's class of the same name, with its axes only.
@MainActor open class NSLayoutConstraint: NSObject {
    /// Stands in for Apple's enumeration of the same name.
    public enum Axis: Int, Sendable {
        /// Stands in for Apple's case of the same name.
        case horizontal
        /// Stands in for Apple's case of the same name.
        case vertical
    }

    private nonisolated override init() {}
}

/// Stands in for Apple's class of the same name.
@MainActor open class UIStackView: UIView {
    /// Stands in for Apple's property of the same name.
    open private(set) var arrangedSubviews: [UIView] = []

    /// Stands in for Apple's property of the same name.
    open var axis = NSLayoutConstraint.Axis.horizontal

    /// Creates a stack of views.
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init()
        arrangedSubviews = views
    }
}

/// Stands in for Apple's class of the same name.
open class UIImage: NSObject {
    /// Creates an image, if the data is that of a GIF.
    ///
    /// Apple's class decodes more types.
    public init?(data: Data) {
        guard data.starts(with: Data("GIF8".utf8)) else { return nil }
    }
}

/// Stands in for Apple's class of the same name.
@MainActor open class UIImageView: UIView {
    /// Stands in for Apple's property of the same name.
    open var image: UIImage?
}
