import Foundation
import PushCryptSystem
import TestSupport

@testable import PushCryptReceiver

/// The displayed notifications, one for each sealed value as on Android.
///
/// The system's placeholder after a kill is hidden until the app opens it again.
final class ScenarioScreen: DeliveredList {
    struct Notice: Sendable {
        let sealed: String
        let identifier: String
        var content: NotificationContent
        /// `userInfo` as JSON.
        let userInfo: [UInt8]
        var date: Date
        var isHidden = false
        let isFallback: Bool
        /// A Boolean value that indicates whether the receiver's state that knows the notice was
        /// lost.
        var isForgotten = false

        var delivered: DeliveredNotification {
            get throws {
                DeliveredNotification(
                    content: content, userInfo: try systemDictionary(userInfo),
                    identifier: identifier, date: date,
                    carrier: .firebaseAndroid)
            }
        }
    }

    private let list = LockedValue<(notices: [Notice], isDead: Bool)>(([], false))

    var notices: [Notice] { list.withLock { $0.notices } }

    /// A Boolean value that indicates whether the process was killed, and removes nothing any more.
    var isDead: Bool {
        get { list.withLock { $0.isDead } }
        set { list.withLock { $0.isDead = newValue } }
    }

    /// The notices that the receiver's state knows.
    var known: [Notice] { notices.filter { !$0.isForgotten } }

    /// The sealed values of the notices that the receiver's state knows.
    var values: Set<String> { Set(known.map(\.sealed)) }

    subscript(sealed: String) -> Notice? { notices.first { $0.sealed == sealed } }

    /// Displays a notice instead of those with its value or its identifier.
    func show(_ notice: Notice) {
        list.withLock { list in
            list.notices.removeAll {
                $0.sealed == notice.sealed || !$0.isForgotten && $0.identifier == notice.identifier
            }
            list.notices.append(notice)
        }
    }

    func remove(_ identifiers: [String]) {
        list.withLock { list in
            guard !list.isDead else { return }
            list.notices.removeAll { !$0.isForgotten && identifiers.contains($0.identifier) }
        }
    }

    func remove(sealed: String) { list.withLock { $0.notices.removeAll { $0.sealed == sealed } } }

    func identifiers() async -> Set<String> { Set(known.map(\.identifier)) }

    func setBadge(_ count: Int) async {}

    func dismiss(_ body: String) {
        list.withLock { $0.notices.removeAll { !$0.isHidden && $0.content.body == body } }
    }

    /// Displays the placeholders that nothing has replaced.
    func reveal() {
        list.withLock { list in
            for index in list.notices.indices { list.notices[index].isHidden = false }
        }
    }

    /// Forgets the notices with the receiver's state, and the messages that wait.
    func forget() {
        list.withLock { list in
            list.notices.removeAll(where: \.isHidden)
            for index in list.notices.indices { list.notices[index].isForgotten = true }
        }
    }

    /// The bodies of all visible notices, sorted.
    var bodies: [String] {
        let visible = notices.filter { !$0.isHidden }.map(\.content.body)
        return visible.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
    }
}
