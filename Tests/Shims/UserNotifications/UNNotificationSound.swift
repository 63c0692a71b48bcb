public import Foundation

/// Stands in for Apple's class of the same name, which has no readable properties either.
public class UNNotificationSound: NSObject {
    /// Not Apple's: the sound, for tests to compare.
    let kind: String

    /// Names a file of the app.
    @available(watchOS, unavailable)
    public convenience init(named name: UNNotificationSoundName) {
        self.init(kind: "named \(name.rawValue)")
    }

    required init(kind: String) { self.kind = kind }

    /// Stands in for Apple's property of the same name.
    public class var `default`: UNNotificationSound { UNNotificationSound(kind: "default") }

    /// Stands in for Apple's property of the same name.
    public class var defaultCritical: UNNotificationSound {
        UNNotificationSound(kind: "critical default")
    }

    /// Stands in for Apple's method of the same name.
    public class func defaultCriticalSound(withAudioVolume volume: Float) -> Self {
        Self(kind: "critical default \(volume)")
    }

    /// Stands in for Apple's method of the same name.
    @available(watchOS, unavailable)
    public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> Self {
        Self(kind: "critical \(name.rawValue)")
    }

    /// Stands in for Apple's method of the same name.
    @available(watchOS, unavailable)
    public class func criticalSoundNamed(
        _ name: UNNotificationSoundName, withAudioVolume volume: Float
    ) -> Self {
        Self(kind: "critical \(name.rawValue) \(volume)")
    }

    /// Compares, as Apple's class does.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSound)?.kind == kind
    }
}
