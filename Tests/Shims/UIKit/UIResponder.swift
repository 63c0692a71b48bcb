// Stand-ins for the classes of Apple's UIKit, so that Docs/Examples is compiled and run on Linux.
// Unless a comment names another source, the declarations are those of Apple's documentation
// (developer.apple.com/documentation/uikit, 2026). Declarations with `package` aren't Apple's and
// are for the project's own tests. No product contains the stand-ins.
public import Foundation

/// Stands in for Apple's class of the same name.
@MainActor open class UIResponder: NSObject {}
