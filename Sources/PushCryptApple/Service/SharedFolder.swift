internal import Foundation

/// The container that an app and its extensions share.
enum SharedFolder {
    /// The path of an app group's container; `nil` where this target does not have the app group.
    static func path(ofAppGroup group: String) -> String? {
        #if canImport(Darwin)
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path
        #else
        nil
        #endif
    }
}
