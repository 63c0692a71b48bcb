internal import Foundation
internal import PushCryptDownloads
public import PushCryptReceiver

extension PushConfiguration {
    /// The settings of the Info.plist, which the app and each extension have.
    ///
    /// ```swift
    /// func pushConfiguration() -> PushConfiguration {
    ///     var configuration = PushConfiguration.infoPlist
    ///     configuration.fallback = FallbackText("New message")
    ///     return configuration
    /// }
    /// ```
    ///
    /// | Key | Value |
    /// |---|---|
    /// | `PushCryptKeychainGroup` | `$(AppIdentifierPrefix)` and the group of Keychain Sharing |
    /// | `PushCryptAppGroup` | the group of the capability App Groups |
    /// | `PushCryptServerKey` | the server's public signing keys in order of rank, or one |
    /// | `PushCryptAudience` | the audience of the server's lists of accepted keys, if it has one |
    /// | `PushCryptCarrier` | the carrier's name, such as `expo`; APNs if it's missing |
    /// | `PushCryptAttachmentHosts` | the hosts of attachments; nothing is downloaded without |
    ///
    /// Keys and secrets are in the keychain, and strings in the app's own table.
    public static var infoPlist: PushConfiguration { PushConfiguration(InfoPlist()) }

    package init(_ infoPlist: InfoPlist) {
        self.init(keys: KeychainStore(infoPlist), senderPolicy: infoPlist.senderPolicy)
        carrier = infoPlist.carrier
        secrets = KeychainSecretsStore(infoPlist)
        strings = BundleStringTable.containingApp
        downloader = infoPlist.attachmentDownloader
        switch infoPlist.sharedDirectory {
        case .success(let path): directory = path
        case .failure(let problem): problems.append(problem)
        }
        if case .failure(let problem) = infoPlist.keychainGroup { problems.append(problem) }
        setSystemDefaults()
    }

    /// Sets what follows from Apple's platform, and not from the app.
    package mutating func setSystemDefaults() {
        create = { SharedContainer.create($0) }
        inBackground = { await BackgroundActivity.run($0) }
        followApp = { AppActivity.follow($0) }
        log = { SystemLog.write($0) }
        registration.deviceID = { await RegistrationDirectory.vendor() }
        registration.directory = { account in try RegistrationDirectory.path(ofAccount: account) }
    }
}

extension InfoPlist {
    /// The container of the app group.
    var sharedDirectory: Result<String, PushCryptError> {
        appGroup.flatMap { group in
            if let path = SharedContainer.path(ofAppGroup: group) { return .success(path) }
            let reason = """
                This target doesn't have the app group \(group), so the delivery log, the replay \
                guard and withdrawals are off. Add the App Groups capability with this group to \
                the app's target and to the extension's.
                """
            return .failure(PushCryptError(.invalidConfiguration, reason))
        }
    }

    /// The downloader for the hosts in the Info.plist.
    ///
    /// Without valid hosts, it fails for each attachment with the setting's error, so that an app
    /// that has no attachments needs no setting.
    package var attachmentDownloader: any AttachmentDownloader {
        switch attachmentHosts {
        case .success(let hosts): URLSessionDownloader(hosts: hosts)
        case .failure(let failure): FailingDownloader(failure: failure)
        }
    }
}

/// A downloader that downloads nothing.
private struct FailingDownloader: AttachmentDownloader {
    let failure: PushCryptError

    func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval)
        async throws
    {
        throw failure
    }
}
