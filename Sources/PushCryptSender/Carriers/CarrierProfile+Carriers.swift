internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload

// Each carrier hands APNs a payload with members of its own, which vary by project. The reserve is
// room for them.
extension CarrierProfile {
    /// Returns the rules of a carrier other than APNs; `nil` for one that the library doesn't know.
    static func known(_ carrier: Carrier) -> CarrierProfile? {
        switch carrier {
        case .firebase: firebase
        case .firebaseAndroid: firebaseAndroid
        case .expo: expo
        case .oneSignal: oneSignal
        default: nil
        }
    }

    /// Firebase adds `gcm.message_id`, `google.c.fid`, `google.c.sender.id` and, for analytics,
    /// more `google.c.…`.
    private static var firebase: Self {
        var profile = Self("Firebase", [.alert, .background])
        profile.reserve = 256
        return profile
    }

    /// A message for Android has nothing but data: 4096 bytes of names and values.
    private static var firebaseAndroid: Self {
        var profile = Self("Firebase for Android", [.alert, .background])
        profile.hasAps = false
        profile.exposedKeys = []
        return profile
    }

    /// Expo moves the data to `body`, and adds `experienceId`, `scopeKey` and `projectId`.
    private static var expo: Self {
        var profile = Self("Expo", [.alert, .background])
        profile.reserve = 512
        profile.exposedKeys = [.category, .sound, .badge, .interruptionLevel, .contentAvailable]
        profile.hasLocalizedText = false
        profile.hasCollapseID = false
        return profile
    }

    /// OneSignal moves the data to `custom.a`, and adds `custom.i`.
    ///
    /// The data may have 2048 bytes.
    private static var oneSignal: Self {
        var profile = Self("OneSignal", [.alert, .background])
        profile.reserve = 512
        profile.maximumValueLength = 2048 - #"{"\#(Envelope.payloadKey)":""}"#.utf8.count
        profile.exposedKeys = [
            .category, .threadID, .sound, .badge, .interruptionLevel, .relevanceScore,
            .targetContentID, .contentAvailable,
        ]
        profile.hasSoundDictionary = false
        profile.hasLocalizedText = false
        profile.requiresBody = true
        return profile
    }
}
