// All rules, in the order in which Docs/Payloads.md lists them; a test holds the page to this list.
extension Rule {
    /// All rules.
    public static let all: [Rule] =
        shape + alert + background + liveActivity + sealed + spelling + inTheClear + category
}

// MARK: Shape: types, ranges, size

extension Rule {
    static let shape = [
        payloadSize, apsMissing, apsNotDictionary, wrongType, flagBoolean, badgeRange, relevanceRange,
        unknownInterruptionLevel,
        volumeRange, soundNotCritical, nullValue, unknownKey, deprecatedKey,
    ]

    /// The payload has more bytes than APNs takes.
    public static let payloadSize = Rule(
        "payload-size", .error, "has more bytes than APNs takes for this push type",
        mend: "Shorten it, let the sealer cut the text, or expose less.")
    /// There is no `aps`.
    public static let apsMissing = Rule(
        "aps-missing", .error, "is missing", mend: "Put what is for the system into a dictionary \"aps\".")
    /// `aps` is not a dictionary.
    public static let apsNotDictionary = Rule(
        "aps-not-dictionary", .error, "is not a dictionary",
        mend: "Put what is for the system into a dictionary \"aps\".")
    /// A value is not of the type that Apple's table has.
    public static let wrongType = Rule(
        "wrong-type", .error, "is not of the type that Apple's table has", mend: "Give it that type.")
    /// A flag is a Boolean.
    public static let flagBoolean = Rule(
        "flag-boolean", .warning, "is a Boolean, where Apple's table has the number 1",
        mend: "Write 1, or leave the member out.")
    /// `badge` is negative.
    public static let badgeRange = Rule(
        "badge-range", .error, "is negative", mend: "Count from 0, which removes the badge.")
    /// `relevance-score` is not from 0 to 1, and it is not for a Live Activity.
    public static let relevanceRange = Rule(
        "relevance-range", .error, "is not from 0 to 1", mend: "Scale it; Live Activities alone take any number.")
    /// `interruption-level` is none of Apple's.
    public static let unknownInterruptionLevel = Rule(
        "unknown-interruption-level", .error, "is none of the levels that there are",
        mend: "Use passive, active, time-sensitive or critical.")
    /// `volume` is not from 0 to 1.
    public static let volumeRange = Rule(
        "volume-range", .error, "is not from 0 to 1", mend: "Scale it: 0 is silent, 1 is full.")
    /// A sound is a dictionary without `critical`.
    public static let soundNotCritical = Rule(
        "sound-not-critical", .warning, "is a dictionary without \"critical\": 1, so volume has no effect",
        mend: "Add \"critical\": 1 if it is a critical alert; otherwise give the sound's name as a string.")
    /// A value is `null`.
    public static let nullValue = Rule(
        "null-value", .warning, "is null, which does not reach the app", mend: "Leave the member out.")
    /// A key in `aps` is not Apple's.
    public static let unknownKey = Rule(
        "unknown-key", .warning, "is none of Apple's keys, and APNs ignores others here",
        mend: "Put your own keys beside \"aps\". If Apple has added the key since this release, ignore this.")
    /// A key is deprecated.
    public static let deprecatedKey = Rule(
        "deprecated-key", .warning, "is deprecated", mend: "Use actions of a category instead.")
}

// MARK: What an alert needs

extension Rule {
    static let alert = [noAlertText, locArgsWithoutKey, locKeyUnknown, locArgsTooFew]

    /// An alert has no text at all.
    public static let noAlertText = Rule(
        "no-alert-text", .error,
        "has no title, subtitle or body, so the system would not run the notification service extension for it",
        mend: "Give the alert a title, a subtitle or a body.")
    /// Arguments without a key to use them.
    public static let locArgsWithoutKey = Rule(
        "loc-args-without-key", .warning, "has no effect, because the key that would use it is missing",
        mend: "Add the key of the string table, or leave the arguments out.")
    /// A key is not in the string table that was given.
    public static let locKeyUnknown = Rule(
        "loc-key-unknown", .error,
        "is not in the string table, so the device shows the text beside it, or the key itself",
        mend: "Add the key to the string table.")
    /// There are fewer arguments than the string needs.
    public static let locArgsTooFew = Rule(
        "loc-args-too-few", .error, "has fewer arguments than the string in the string table needs",
        mend: "Give an argument for every %@.")
}

// MARK: Background pushes

extension Rule {
    static let background = [contentAvailableMissing, backgroundWithAlert, contentAvailableSealed]

    /// A background push without `content-available`.
    public static let contentAvailableMissing = Rule(
        "content-available-missing", .error, "is not 1, as every background push has it",
        mend: "Add \"content-available\": 1 to \"aps\".")
    /// A background push that shows or plays something.
    public static let backgroundWithAlert = Rule(
        "background-with-alert", .error, "is not allowed in a background push",
        mend: "Remove it, or send an alert push.")
    /// An alert that is to wake the app as well, and whose `content-available` is sealed.
    public static let contentAvailableSealed = Rule(
        "content-available-sealed", .warning, "is sealed, so the system shows the alert and does not wake the app",
        mend: "Expose content-available, or leave it out.")
}

// MARK: Live Activities

extension Rule {
    static let liveActivity = [
        eventMissing, unknownEvent, timestampMissing, contentStateMissing, attributesMissing, attributesTypeMissing,
        startAlertMissing, dismissalWithoutEnd, liveActivityKeyElsewhere, liveActivityCustomKey,
        liveActivityUnknownKey, liveActivityAlertVisible,
    ]

    /// A Live Activity push without `event`.
    public static let eventMissing = Rule(
        "event-missing", .error, "is missing, and a Live Activity push must say what happens",
        mend: "Add \"event\": start, update or end.")
    /// `event` is none of Apple's.
    public static let unknownEvent = Rule(
        "unknown-event", .error, "is none of the events that there are", mend: "Use start, update or end.")
    /// A Live Activity push without `timestamp`.
    public static let timestampMissing = Rule(
        "timestamp-missing", .error, "is missing, and the system orders the updates of a Live Activity by it",
        mend: "Add the seconds since 1970-01-01 UTC.")
    /// A start or update without `content-state`.
    public static let contentStateMissing = Rule(
        "content-state-missing", .error, "is missing, and a Live Activity has nothing to show without it",
        mend: "Add the state as a dictionary.")
    /// A start without `attributes`.
    public static let attributesMissing = Rule(
        "attributes-missing", .error, "is missing, and a Live Activity cannot start without it",
        mend: "Add the attributes, an empty dictionary if there are none.")
    /// Attributes without a type.
    public static let attributesTypeMissing = Rule(
        "attributes-type-missing", .error, "is missing, and a Live Activity cannot start without it",
        mend: "Add the name of the attributes' type in the app.")
    /// A start without an alert.
    public static let startAlertMissing = Rule(
        "start-alert-missing", .warning, "is missing, and Apple asks for an alert where a push starts a Live Activity",
        mend: "Add an alert with a title and a body that may be read by everybody.")
    /// `dismissal-date` without an end.
    public static let dismissalWithoutEnd = Rule(
        "dismissal-without-end", .warning, "has no effect, because the Live Activity does not end",
        mend: "Send it with \"event\": end.")
    /// A key of Live Activities in another push.
    public static let liveActivityKeyElsewhere = Rule(
        "live-activity-key-elsewhere", .warning, "belongs to Live Activities, and has no effect in this push type",
        mend: "Send it with the push type liveactivity, or leave it out.")
    /// A custom key in a Live Activity push.
    public static let liveActivityCustomKey = Rule(
        "live-activity-custom-key", .error,
        "stands beside \"aps\" in a Live Activity push, where nobody on the device gets it and everybody on the way reads it",
        mend: "Move it into \"content-state\", which is sealed.")
    /// A key in a Live Activity push that is not Apple's.
    public static let liveActivityUnknownKey = Rule(
        "live-activity-unknown-key", .error,
        "is none of Apple's keys, and what it holds would be readable for everybody on the way",
        mend:
            "Correct its name, or move it into \"content-state\", which is sealed. If Apple has added the key since this release, ignore this rule."
    )
    /// The alert of a Live Activity push has text.
    public static let liveActivityAlertVisible = Rule(
        "live-activity-alert-visible", .note,
        "stays readable for everybody on the way: no extension sees a Live Activity push",
        mend: "Give a text that says nothing, such as a loc-key of the app's string table.")
}

// MARK: What travels

extension Rule {
    static let sealed = [mutableContentMissing, alertNotDictionary, sealedValueMalformed, sealedValueMisplaced]

    /// A sealed alert without `mutable-content`.
    public static let mutableContentMissing = Rule(
        "mutable-content-missing", .error, "is not 1, so the notification service extension does not run",
        mend: "Add \"mutable-content\": 1 to \"aps\".")
    /// A sealed alert that is a bare string.
    public static let alertNotDictionary = Rule(
        "alert-not-dictionary", .error, "is not a dictionary, so the notification service extension does not run",
        mend: "Make it {\"body\": …}.")
    /// `ENCRYPTED_DATA` is not what its name says.
    public static let sealedValueMalformed = Rule(
        "sealed-value-malformed", .error,
        "is no sealed value, and the key is reserved: whatever else is in it is shown as the fallback",
        mend: "Seal the payload, or give the member another name.")
    /// `ENCRYPTED_DATA` is where nothing looks for it.
    public static let sealedValueMisplaced = Rule(
        "sealed-value-misplaced", .error, "is where nothing looks for it",
        mend:
            "It belongs beside \"aps\"; in a Live Activity push alone in \"content-state\" or \"attributes\".")
}

// MARK: Bytes that say nothing

extension Rule {
    static let spelling = [needlessEscapes, needlessWhitespace]

    /// Escapes that JSON does not need.
    public static let needlessEscapes = Rule(
        "needless-escapes", .warning, "has escapes that JSON does not need, and they count",
        mend: "Write text as UTF-8, and / without a backslash.")
    /// White space between tokens.
    public static let needlessWhitespace = Rule(
        "needless-whitespace", .warning, "has white space between its tokens, and it counts",
        mend: "Encode without pretty-printing.")
}

// MARK: What is left in the clear

extension Rule {
    static let inTheClear = [
        clearCardNumber, clearIBAN, clearEmailAddress, clearOneTimeCode, clearPhoneNumber, clearLongText,
    ]

    private static func clear(_ id: String, _ what: String) -> Rule {
        Rule(
            "clear-\(id)", .warning, "can be read on the way, and looks as if it had \(what)",
            mend: "Leave it to the sealed original.")
    }

    /// A card number is visible.
    public static let clearCardNumber = clear("card-number", "a card number")
    /// An IBAN is visible.
    public static let clearIBAN = clear("iban", "an IBAN")
    /// An e-mail address is visible.
    public static let clearEmailAddress = clear("email-address", "an e-mail address")
    /// A one-time code is visible.
    public static let clearOneTimeCode = clear("one-time-code", "a one-time code")
    /// A phone number is visible.
    public static let clearPhoneNumber = clear("phone-number", "a phone number")
    /// A long text is visible.
    public static let clearLongText = clear("long-text", "a message's whole text")
}

// MARK: Categories and content extensions

extension Rule {
    static let category = [
        categoryMissing, categoryUndeclared, categoryCase, contentExtensionDetail,
    ]

    /// The payload has no category, so no content extension opens.
    public static let categoryMissing = Rule(
        "category-missing", .warning, "is missing, so the content extension does not open",
        mend: "Add the category that the extension declares.")
    /// The content extension does not declare the category.
    public static let categoryUndeclared = Rule(
        "category-undeclared", .error, "is not declared by the content extension",
        mend: "Add it to UNNotificationExtensionCategory in the extension's Info.plist.")
    /// The content extension declares the category in other letters.
    public static let categoryCase = Rule(
        "category-case", .error,
        "is declared by the content extension in other upper or lower case letters, which matter",
        mend: "Use the same letters in both.")
    /// What another key of the property list does.
    public static let contentExtensionDetail = Rule(
        "content-extension-detail", .note, "changes how the content extension shows the payload",
        mend: "Nothing to mend.")
}
