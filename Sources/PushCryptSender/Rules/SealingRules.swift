internal import PushCryptCore

/// The rules that the sealer applies to an original.
extension Rule {
    /// The rules that the format requires of every sender, so that the sealer never ignores them.
    package static let required: Set<ID> = [
        apsMissing.id, apsNotDictionary.id, noAlertText.id, contentAvailableMissing.id,
        backgroundWithAlert.id, liveActivityCustomKey.id, contentStateMissing.id,
        attributesMissing.id, withdrawalTarget.id, reservedKey.id,
    ]

    // MARK: Types, ranges and size

    package static let payloadSize = Rule(
        "payload-size", .error, message: "The payload is too long for APNs.",
        fix: "Shorten the payload, let the sealer truncate its text, or expose fewer keys.")
    package static let apsMissing = Rule(
        "aps-missing", .error, message: "The dictionary is missing.",
        fix: "Put the keys for the system into a dictionary \"aps\".")
    package static let apsNotDictionary = Rule(
        "aps-not-dictionary", .error, message: "The value isn't a dictionary.",
        fix: "Put the keys for the system into a dictionary \"aps\".")
    package static let wrongType = Rule(
        "wrong-type", .error, message: "The value doesn't have the type of Apple's table.",
        fix: "Use that type.")
    package static let flagBoolean = Rule(
        "flag-boolean", .warning,
        message: "The flag is a Boolean, but Apple's table has the number 1.",
        fix: "Write 1, or omit the key.")
    package static let badgeRange = Rule(
        "badge-range", .error, message: "The badge is negative.",
        fix: "Use 0 to remove the badge, or a positive number.")
    package static let relevanceRange = Rule(
        "relevance-range", .error, message: "The relevance score isn't from 0 to 1.",
        fix: "Scale the score; only Live Activities accept other numbers.")
    package static let unknownInterruptionLevel = Rule(
        "unknown-interruption-level", .error, message: "The interruption level isn't valid.",
        fix: "Use passive, active, time-sensitive or critical.")
    package static let volumeRange = Rule(
        "volume-range", .error, message: "The volume isn't from 0 to 1.",
        fix: "Use a number from 0 for silence to 1 for full volume.")
    package static let reservedKey = Rule(
        "reserved-key", .error,
        message: "The name is reserved for a value that the extension writes.",
        fix: "Rename the key.")

    // MARK: Alerts

    package static let noAlertText = Rule(
        "no-alert-text", .error, message: "The alert has no text, so the extension doesn't run.",
        fix: "Add a title, a subtitle or a body.")

    // MARK: Background pushes

    package static let contentAvailableMissing = Rule(
        "content-available-missing", .error,
        message: "The value isn't 1, which every background push needs.",
        fix: "Add \"content-available\": 1 to \"aps\".")
    package static let backgroundWithAlert = Rule(
        "background-with-alert", .error, message: "The key isn't allowed in a background push.",
        fix: "Remove the key, or send an alert push.")

    // MARK: Attachments

    package static let attachmentInvalid = Rule(
        "attachment-invalid", .error,
        message: "The attachment isn't valid, so the device doesn't display it.",
        fix: "Create it with 'pushcrypt attach', or give a \"url\" and a supported \"type\".")
    package static let attachmentReadable = Rule(
        "attachment-readable", .error,
        message: "The attachments stay readable, with the keys of their files.",
        fix: "Move them into the payload before you seal it.")
    package static let attachmentWithoutTLS = Rule(
        "attachment-without-tls", .warning,
        message: "The address begins with http:, and devices don't download without TLS.",
        fix: "Use an address that begins with https:.")

    // MARK: Live Activities

    package static let eventMissing = Rule(
        "event-missing", .error, message: "The event of the Live Activity is missing.",
        fix: "Add \"event\" with the value start, update or end.")
    package static let unknownEvent = Rule(
        "unknown-event", .error, message: "The event isn't valid.",
        fix: "Use start, update or end.")
    package static let timestampMissing = Rule(
        "timestamp-missing", .error,
        message: "The timestamp is missing, by which the system orders updates.",
        fix: "Add the seconds since 1970-01-01 UTC.")
    package static let contentStateMissing = Rule(
        "content-state-missing", .error,
        message:
            """
            The content state is missing, so nothing is sealed, and the Live Activity has nothing \
            to display.
            """,
        fix: "Add the state as a dictionary.")
    package static let attributesMissing = Rule(
        "attributes-missing", .error,
        message: "The attributes are missing, so the Live Activity can't start.",
        fix: "Add the attributes, or an empty dictionary.")
    package static let attributesTypeMissing = Rule(
        "attributes-type-missing", .error,
        message: "The type of the attributes is missing, so the Live Activity can't start.",
        fix: "Add the name of the type in the app.")
    package static let startAlertMissing = Rule(
        "start-alert-missing", .warning,
        message: "The alert is missing, which Apple asks for at the start of a Live Activity.",
        fix: "Add an alert. The placeholder replaces its text.")
    package static let dismissalWithoutEnd = Rule(
        "dismissal-without-end", .warning,
        message: "The dismissal date has no effect without the event end.",
        fix: "Send it with the event end.")
    package static let activityTime = Rule(
        "activity-time", .warning,
        message: "The time isn't in seconds since 1970-01-01 UTC.",
        fix: "Write the seconds since 1970, without milliseconds.")
    package static let activityTimeRange = Rule(
        "activity-time-range", .error,
        message: "No number of a device is so large, so the system ignores the push.",
        fix: "Write the seconds since 1970-01-01 UTC.")
    package static let liveActivityCustomKey = Rule(
        "live-activity-custom-key", .error,
        message: "The key beside \"aps\" stays readable, and the app never gets it.",
        fix: "Move it into \"content-state\".")
    package static let liveActivityUnknownKey = Rule(
        "live-activity-unknown-key", .error,
        message: "Apple doesn't list the key, and its value would stay readable.",
        fix:
            """
            Correct the name, move it into "content-state", or ignore this rule if Apple has \
            added the key.
            """)
    // MARK: Payloads that stay unsealed

    package static let withdrawalTarget = Rule(
        "withdrawal-target", .error,
        message: "The withdrawal names nothing or more than 100 targets, or its value isn't valid.",
        fix:
            """
            Give thread IDs, or collapse IDs of at most 64 visible ASCII characters, as arrays of \
            strings.
            """)

    // MARK: Sealed payloads

    package static let sealedValueMisplaced = Rule(
        "sealed-value-misplaced", .error,
        message: "The sealed value is in a location that the device doesn't read.",
        fix:
            """
            Put it beside "aps", or in a Live Activity push alone into "content-state" or \
            "attributes".
            """)
}
