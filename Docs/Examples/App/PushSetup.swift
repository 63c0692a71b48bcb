import PushCryptApple

/// The settings of your pushes: the Info.plist of each target has the groups and the server's key.
///
/// Change others here, and override `configuration` of NotificationService with this function, too.
nonisolated func pushConfiguration() -> PushConfiguration { .infoPlist }
