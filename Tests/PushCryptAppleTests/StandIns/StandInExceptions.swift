/// What the stand-ins declare although the list does not, and why.
struct StandInExceptions {
    /// The exceptions of one kind.
    struct Group {
        let reason: String
        let declarations: [StandInDeclaration]
    }

    static let groups = [
        group(
            "the protocols of a listed class demand it", "UserNotifications", "UNNotificationContent",
            "func copy(with: NSZone?) -> Any", "func mutableCopy(with: NSZone?) -> Any",
            "required convenience init?(coder: NSCoder)", "func encode(with: NSCoder)",
            "class var supportsSecureCoding: Bool { get }"),
        group(
            "the protocol of a listed structure demands it", "UserNotifications", "UNNotificationSoundName",
            "var rawValue: String { get }"),
        group(
            "NSObject declares it: two sounds are equal that sound the same", "UserNotifications",
            "UNNotificationSound",
            "func isEqual(_: Any?) -> Bool"),
        group(
            "signatures in the list name it, and nothing needs more than the name", "UserNotifications", "",
            "class UNUserNotificationCenter: NSObject", "class UNNotificationTrigger: NSObject",
            "protocol UNNotificationContentProviding: NSObjectProtocol",
            "struct UNNotificationPresentationOptions: OptionSet"),
        group(
            "tells pushes from what the app has shown itself; its name is all that is needed", "UserNotifications", "",
            "class UNPushNotificationTrigger: UNNotificationTrigger"),
        group(
            "an option set has them", "UserNotifications", "UNNotificationPresentationOptions",
            "var rawValue: UInt { get }", "init(rawValue: UInt)"),
        group(
            "a signature in the list names it", "UserNotificationsUI", "",
            "enum UNNotificationContentExtensionResponseOption: UInt"),
        group(
            "an enumeration has cases", "UserNotificationsUI", "UNNotificationContentExtensionResponseOption",
            "case doNotDismiss", "case dismiss", "case dismissAndForwardAction"),
        group("a property in the list is of it", "PushKit", "", "struct PKPushType: RawRepresentable"),
        group(
            "a payload has a type, and VoIP pushes are the ones that are read", "PushKit", "PKPushType",
            "var rawValue: String { get }", "init(rawValue: String)", "static var voIP: PKPushType { get }"),
    ]

    static let declarations = groups.flatMap(\.declarations)

    private static func group(_ reason: String, _ module: String, _ owner: String, _ texts: String...) -> Group {
        Group(
            reason: reason,
            declarations: texts.map {
                StandInDeclaration(module: module, owner: owner, text: AppleDeclarationList.declared($0).normal)
            })
    }
}
