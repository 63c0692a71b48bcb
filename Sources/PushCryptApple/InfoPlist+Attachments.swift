internal import Foundation
internal import PushCryptDownloads
internal import PushCryptReceiver

extension InfoPlist {
    /// The downloader for the hosts in the Info.plist.
    ///
    /// Without valid hosts, it fails for each attachment with the setting's error, so that an app that has no
    /// attachments needs no setting.
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

    func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval) async throws {
        throw failure
    }
}
