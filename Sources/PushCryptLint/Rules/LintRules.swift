internal import PushCryptCore
public import PushCryptSender

extension Rule.ID {
    /// The rule about keys in `aps` that Apple doesn't list.
    public static let unknownKey = Rule.unknownKey.id
}

/// The table of all rules: those that the sealer applies, and those that only lint reports.
extension Rule {
    /// All rules, in the order of the documentation.
    package static let all: [Rule] =
        [
            payloadSize, apsMissing, apsNotDictionary, wrongType, flagBoolean, badgeRange,
            relevanceRange, unknownInterruptionLevel, volumeRange, soundNotCritical, nullValue,
            numberOutOfRange, numberRounded, unknownKey, deprecatedKey, reservedKey, noAlertText,
            locArgsWithoutKey, locKeyUnknown, locArgsTooFew, locArgsUnused, locFormat,
            contentAvailableMissing, backgroundWithAlert, contentAvailableSealed,
            serviceUpdateSealed, attachmentInvalid, attachmentReadable, attachmentWithoutTLS,
            eventMissing, unknownEvent, timestampMissing, contentStateMissing, attributesMissing,
            attributesTypeMissing, startAlertMissing, dismissalWithoutEnd, activityTime,
            activityTimeRange, liveActivityKeyElsewhere, liveActivityCustomKey,
            liveActivityUnknownKey, liveActivityAlertReplaced, withdrawalTarget, withdrawalShown,
            withdrawalMixed, notSealable, memberMissing, memberIgnored, mutableContentMissing,
            alertNotDictionary, sealedValueMalformed, sealedValueMisplaced, senderClock,
            needlessEscapes, needlessWhitespace,
        ] + SensitiveText.allCases.map(\.rule) + [
            categoryMissing, categoryUndeclared, categoryCase, contentExtensionDetail,
        ]

    // MARK: Types, ranges and size

    static let soundNotCritical = Rule(
        "sound-not-critical", .warning,
        message: "The sound is a dictionary without \"critical\": 1, so its volume has no effect.",
        fix: "Add \"critical\": 1, or write the sound's name as a string.")
    static let unknownKey = Rule(
        "unknown-key", .warning,
        message: "Apple doesn't list the key, and APNs ignores other keys here.",
        fix: "Put your own keys beside \"aps\", or ignore this rule if Apple has added the key.")
    static let deprecatedKey = Rule(
        "deprecated-key", .warning, message: "The key is deprecated.",
        fix: "Use the actions of a category instead.")
    static let nullValue = Rule(
        "null-value", .warning, message: "The value is null, which doesn't reach the app.",
        fix: "Omit the key.")
    static let numberOutOfRange = Rule(
        "number-out-of-range", .warning,
        message: "No number of a device is so large, so the value doesn't reach the app.",
        fix: "Write the number as a string.")
    static let numberRounded = Rule(
        "number-rounded", .warning,
        message: "The device rounds the number, because it has more digits than a device keeps.",
        fix: "Write the number as a string.")

    // MARK: Alerts

    static let locArgsWithoutKey = Rule(
        "loc-args-without-key", .warning,
        message: "The arguments have no effect without their key.",
        fix: "Add the key, or omit the arguments.")
    static let locKeyUnknown = Rule(
        "loc-key-unknown", .error,
        message:
            """
            The key isn't in the string table, so the device shows the key, or the text beside it.
            """,
        fix: "Add the key to the string table.")
    static let locArgsTooFew = Rule(
        "loc-args-too-few", .error, message: "The string in the string table needs more arguments.",
        fix: "Add an argument for every %@.")
    static let locArgsUnused = Rule(
        "loc-args-unused", .warning,
        message: "The string in the string table doesn't display the argument.",
        fix: "Add %@ to the string, or omit the argument.")
    static let locFormat = Rule(
        "loc-format", .error,
        message: """
            The string in the string table has a conversion that isn't for text, and arguments \
            are text.
            """,
        fix: "Use %@ or %1$@, write %% for a percent sign, and don't vary the string by number.")

    // MARK: Payloads that stay unsealed

    static let notSealable = Rule(
        "not-sealable", .note,
        message: "The payload stays readable, because it isn't sealed for one device.",
        fix: "Omit private text.")
    static let withdrawalShown = Rule(
        "withdrawal-shown", .note,
        message: "Without the filtering entitlement, the device displays this push.",
        fix:
            """
            Send one push for each collapse ID, with the same apns-collapse-id, which it then \
            replaces.
            """)
    static let withdrawalMixed = Rule(
        "withdrawal-mixed", .warning,
        message: "The push isn't a withdrawal, because it has other members or another type.",
        fix:
            """
            Send a withdrawal as an alert push with "collapse-ids", "thread-ids" and "aps" \
            alone.
            """)
    static let memberMissing = Rule(
        "member-missing", .error, message: "The value that the system needs is missing.",
        fix: "Give Apple's value.")
    static let memberIgnored = Rule(
        "member-ignored", .error, message: "The system ignores the member, and it stays readable.",
        fix: "Remove the member.")

    // MARK: Sealed payloads

    static let mutableContentMissing = Rule(
        "mutable-content-missing", .error,
        message: "The value isn't 1, so the extension doesn't run.",
        fix: "Add \"mutable-content\": 1 to \"aps\".")
    static let alertNotDictionary = Rule(
        "alert-not-dictionary", .error,
        message: "The alert isn't a dictionary, so the extension doesn't run.",
        fix: "Write it as {\"body\": …}.")
    static let sealedValueMalformed = Rule(
        "sealed-value-malformed", .error,
        message: "The value isn't a sealed value, but the key is reserved for one.",
        fix: "Seal the payload, or rename the key.")

    // MARK: The sealer

    static let senderClock = Rule(
        "sender-clock", .warning,
        message: "The time isn't between 2024 and 2100, so devices reject the message.",
        fix: "Set the clock of this machine.")

    // MARK: Encoding

    static let needlessEscapes = Rule(
        "needless-escapes", .warning,
        message: "The JSON has needless escapes, which count toward the size.",
        fix: "Write text as UTF-8, and / without a backslash.")
    static let needlessWhitespace = Rule(
        "needless-whitespace", .warning,
        message: "The JSON has white space, which counts toward the size.",
        fix: "Encode the payload without pretty-printing.")

    // MARK: Categories and content extensions

    static let categoryMissing = Rule(
        "category-missing", .warning,
        message: "The category is missing, so the content extension doesn't open.",
        fix: "Add the category that the extension declares.")
    static let categoryUndeclared = Rule(
        "category-undeclared", .error,
        message: "The content extension doesn't declare the category.",
        fix: "Add it to UNNotificationExtensionCategory in the extension's Info.plist.")
    static let categoryCase = Rule(
        "category-case", .error,
        message:
            "The content extension declares the category in other upper- or lower-case letters.",
        fix: "Use the same letters in both.")
    static let contentExtensionDetail = Rule(
        "content-extension-detail", .note,
        message: "The Info.plist sets how the content extension shows the payload.",
        fix: "Check that this is what you want.")

    // MARK: Background pushes

    static let contentAvailableSealed = Rule(
        "content-available-sealed", .warning,
        message: "The key is sealed, so the system shows the alert and doesn't wake the app.",
        fix: "Expose content-available, or omit the key.")
    static let serviceUpdateSealed = Rule(
        "service-update-sealed", .warning,
        message: "The key is sealed, so the system doesn't recognize a service update.",
        fix: "Send service updates unsealed.")

    // MARK: Live Activities

    static let liveActivityAlertReplaced = Rule(
        "live-activity-alert-replaced", .note,
        message: """
            The placeholder replaces the text, because no extension opens a Live Activity push.
            """,
        fix: """
            Put private text into "content-state". Expose "alert" if the text may be public.
            """)
    static let liveActivityKeyElsewhere = Rule(
        "live-activity-key-elsewhere", .warning,
        message: "The key belongs to Live Activities and has no effect in this push type.",
        fix: "Send it with the push type liveactivity, or omit it.")
}

extension SensitiveText {
    /// The rule about readable text of this kind.
    var rule: Rule {
        let name =
            switch self {
            case .cardNumber: "a card number"
            case .iban: "an IBAN"
            case .emailAddress: "an e-mail address"
            case .oneTimeCode: "a one-time code"
            case .phoneNumber: "a phone number"
            case .longText: "the whole message"
            }
        return Rule(
            "clear-\(rawValue)", .warning, message: "A readable text looks like \(name).",
            fix: "Put it into the sealed payload only.")
    }
}
