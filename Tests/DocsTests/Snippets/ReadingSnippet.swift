// Docs/Reading.md: compiled here, run by ReadingTests, and the same there.
import Foundation
import PushCryptApple
import PushKit
import UserNotifications

/// What an app knows about itself.
private let keyringPath = ReadingSnippet.keyringPath

/// Stands in for ActivityKit's protocol of the same name, which Linux lacks.
protocol ActivityAttributes: Decodable, Encodable {
    /// Stands in for Apple's associated type of the same name.
    associatedtype ContentState: Decodable, Encodable, Hashable
}

enum ReadingSnippet {
    /// In the container that app and extension share.
    static let keyringPath =
        FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-docs-\(UUID().uuidString).jwks").path

    struct Order: Codable, Hashable { let id: Int }
    struct OrderState: Codable, Hashable { let courier: String, minutes: Int }

    struct Context { let state: OrderAttributes.ContentState }

    static func opener(_ serverKeys: [String]) -> Opener {
        // begin
        let opener = Opener(
            keys: KeyringFileStore(path: keyringPath), senderPolicy: .signed(by: serverKeys))
        // end
        return opener
    }

    static func handler(_ opener: Opener) -> NotificationHandler {
        // begin
        let handler = NotificationHandler(NotificationOpener(opener, keepsUserInfoSealed: true))
        // end
        return handler
    }

    static func foreground(_ notification: UNNotification, _ opener: Opener) throws -> Order {
        // begin
        let reader = try PayloadReader(notification, opener: opener, unsealed: .refuse)
        let order = try reader.custom("order", as: Order.self)
        // end
        return order
    }

    static func tap(_ response: UNNotificationResponse, _ opener: Opener, follow: (URL) -> Void) throws {
        // begin
        let reader = try PayloadReader(response, opener: opener, unsealed: .refuse)
        if let link = try reader.customIfPresent("link", as: URL.self) {
            follow(link)
        }
        // end
    }

    static func contentExtension(
        _ notification: UNNotification, _ opener: Opener, display: (_ title: String, _ text: String) -> Void
    ) throws {
        func show(title: String, text: String) { display(title, text) }
        // begin
        let reader = try PayloadReader(notification, opener: opener, unsealed: .refuse)
        let content = try reader.content(strings: BundleStringTable.containingApp)
        show(title: content.title, text: content.body)
        // end
    }

    static func guarded(_ keys: any KeyStore, _ serverKeys: [String]) -> Opener {
        // begin
        let guarded = Opener(
            keys: keys, senderPolicy: .signed(by: serverKeys), replayGuard: InMemoryReplayGuard())
        // end
        return guarded
    }

    static func background(
        _ userInfo: [AnyHashable: Any], _ guarded: Opener, synchronize: ([String]) -> Void
    ) throws {
        // begin
        let reader = try PayloadReader(guarded.open(userInfo: userInfo))
        synchronize(try reader.custom("changed", as: [String].self))
        // end
    }

    static func call(
        _ payload: PKPushPayload, _ guarded: Opener, tell: (_ call: UUID, _ from: String) -> Void,
        hangUp: (_ call: UUID) -> Void
    ) {
        func report(call: UUID, from caller: String) { tell(call, caller) }
        func end(call: UUID) { hangUp(call) }
        // begin
        do {
            let reader = try PayloadReader(guarded.open(userInfo: payload.dictionaryPayload))
            report(call: try reader.custom("call", as: UUID.self), from: try reader.custom("caller", as: String.self))
        } catch {
            let nobody = UUID()
            report(call: nobody, from: "Unknown caller")
            end(call: nobody)
        }
        // end
    }

    // begin
    struct Campaign: Decodable {
        let title: String
        let text: String
        let image: URL?
        let movie: URL?
        let link: String?

        enum CodingKeys: String, CodingKey {
            case title = "RW_push_payload_TT"
            case text = "RW_push_payload_BD"
            case image = "RW_push_payload_IM"
            case movie = "RW_push_payload_MV"
            case link = "RW_push_payload_deeplink"
        }
    }
    // end

    static func campaign(_ reader: PayloadReader) throws -> Campaign {
        // begin
        let campaign = try reader.custom("RW_push_payload_WP", as: Campaign.self)
        // end
        return campaign
    }

    // begin
    struct OrderAttributes: ActivityAttributes {
        typealias ContentState = SealedActivityValue<OrderState>

        let order: SealedActivityValue<Order>

        init(order: SealedActivityValue<Order>) { self.order = order }
        init(from decoder: any Decoder) throws { order = try SealedActivityValue(from: decoder) }
        func encode(to encoder: any Encoder) throws { try order.encode(to: encoder) }
    }
    // end

    static func widget(
        _ context: Context, _ opener: Opener, show: (String) -> Void, log: (any Error) -> Void
    ) {
        // begin
        do {
            let state = try context.state.value(opener: opener, unsealed: .refuse)
            show("\(state.courier), \(state.minutes) min")
        } catch {
            log(error)
            show("—")
        }
        // end
    }
}
