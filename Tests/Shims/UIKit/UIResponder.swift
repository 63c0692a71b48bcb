// Stand-ins for the classes of Apple's UIKit, for Linux: what Docs/Examples needs to be compiled and run there, and no more.
// The declarations are those of Apple's documentation (developer.apple.com/documentation/uikit, 2026), where no other source
// is named. What is `package` is not Apple's, and only the project's own tests reach it. No product contains any of it.
public import Foundation

/// Stands in for Apple's class of the same name.
@MainActor open class UIResponder: NSObject {}
