package import Foundation
internal import PushCryptAttachments
package import PushCryptCore
internal import PushCryptKeyring
package import PushCryptPayload

/// Downloads and opens the attachments of a notification, all at the same time.
///
/// The most preferred one that can be used is the result. A file that was cut, changed or replaced leaves nothing on disk.
package struct AttachmentLoader: Sendable {
    /// The most attachments that are tried.
    static let maximumCount = 4

    /// The age of a file that a killed process has left, in seconds: longer than an extension runs.
    static let leftoverAge: TimeInterval = 120

    private let downloader: any AttachmentDownloader
    private let directory: String

    /// Creates a loader, with a directory of its own for its files.
    package init(_ downloader: any AttachmentDownloader, directory: String) {
        (self.downloader, self.directory) = (downloader, directory)
    }

    /// Loads the attachments, and calls a closure once with the path of the best usable file or the first error.
    ///
    /// - Returns: A closure that ends the downloads. Then the best file so far is the result.
    package func load(
        _ attachments: [MediaAttachment], timeout: TimeInterval,
        completion: @escaping @Sendable (Result<LoadedAttachment, PushCryptError>) -> Void
    ) -> @Sendable () -> Void {
        let attachments = Array(attachments.prefix(Self.maximumCount))
        guard !attachments.isEmpty else {
            completion(.failure(Self.failure(.malformedAttachment, "The list is empty or isn't valid")))
            return {}
        }
        do throws(PushCryptError) {
            if !FileManager.default.fileExists(atPath: directory) { try FileSystem.createDirectory(directory) }
        } catch {
            completion(.failure(error))
            return {}
        }
        removeLeftovers()
        let race = AttachmentRace(attachments.count, completion)
        for (index, attachment) in attachments.enumerated() {
            guard let url = URL(string: attachment.url) else {
                race.end(index, .failure(Self.failure(.malformedAttachment, "Its address isn't valid")))
                continue
            }
            let path = "\(directory)/\(UUID().uuidString)"
            let maximum = attachment.seal.map { AttachmentFormat.sealedLength($0.length) }
            race.add(
                index,
                downloader.download(
                    url, to: path, maximumLength: maximum ?? attachment.type.maximumLength, timeout: timeout
                ) { error in
                    let failure = error.map {
                        $0 as? PushCryptError ?? Self.failure(.downloadFailed, "The downloader failed")
                    }
                    let result = failure.map { .failure($0) } ?? Self.open(attachment, path)
                    // Before the completion, after which the process may be suspended.
                    try? FileManager.default.removeItem(atPath: path)
                    race.end(index, result)
                })
        }
        return { race.cancel() }
    }

    /// Opens and checks a downloaded file.
    private static func open(_ attachment: MediaAttachment, _ path: String) -> Result<LoadedAttachment, PushCryptError>
    {
        let type = attachment.type
        guard let fileExtension = type.fileExtension else {
            return .failure(failure(.unsupportedMedia, "The type \(type.rawValue) is unknown"))
        }
        let result = "\(path).\(fileExtension)"
        do throws(PushCryptError) {
            var start: [UInt8] = []
            try OutputFile.write(to: result, isPrivate: true) { (output) throws(PushCryptError) in
                try read(path, attachment.seal) { (part) throws(PushCryptError) in
                    if start.count < 12 {
                        start += [UInt8](copying: part.extracting(first: 12 - start.count))
                        guard MediaType(contentsBeginningWith: start) == type else {
                            throw failure(.unsupportedMedia, "Its contents don't have the type \(type.rawValue)")
                        }
                    }
                    try output.write(part)
                }
                guard !start.isEmpty else { throw failure(.unsupportedMedia, "It is empty") }
            }
        } catch {
            return .failure(error)
        }
        return .success(LoadedAttachment(path: result, attachment: attachment))
    }

    /// Calls a closure with the parts of a file, which is opened if it is sealed.
    private static func read(
        _ path: String, _ seal: MediaAttachment.Seal?, _ write: (Span<UInt8>) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        let file = try FileDescriptor.reading(path)
        var buffer = [UInt8](repeating: 0, count: AttachmentFormat.chunkLength)
        guard let seal else {
            while let part = try file.next(&buffer) { try write(buffer.span.extracting(part)) }
            return
        }
        var decryption = try AttachmentDecryption(seal)
        while let part = try file.next(&buffer) { try decryption.update(buffer.span.extracting(part), write) }
        try decryption.finish()
    }

    /// Removes the files of processes that the system has ended.
    private func removeLeftovers() {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: directory)) ?? [] {
            let path = "\(directory)/\(name)"
            let date = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let date, -date.timeIntervalSinceNow > Self.leftoverAge { try? files.removeItem(atPath: path) }
        }
    }

    static func failure(_ code: PushCryptError.Code, _ problem: String) -> PushCryptError {
        PushCryptError(code, "The attachment can't be shown. \(problem). Check the sender.")
    }
}

extension FileDescriptor {
    /// Reads the next bytes to the beginning of a buffer, and returns their range; `nil` at the end of the file.
    fileprivate func next(_ buffer: inout [UInt8]) throws(PushCryptError) -> Range<Int>? {
        var span = buffer.mutableSpan
        let count = try read(into: &span)
        return count > 0 ? 0..<count : nil
    }
}

/// A file that was downloaded and opened.
package struct LoadedAttachment: Sendable {
    /// The path of the file, whose extension says its type.
    package let path: String
    /// The attachment.
    package let attachment: MediaAttachment
}

/// Downloads that run at the same time, until the most preferred usable one is known.
private final class AttachmentRace: Sendable {
    private struct State {
        var results: [Result<LoadedAttachment, PushCryptError>?]
        var cancellations: [@Sendable () -> Void] = []
        var completion: (@Sendable (Result<LoadedAttachment, PushCryptError>) -> Void)?
    }

    private let state: LockedValue<State>

    init(_ count: Int, _ completion: @escaping @Sendable (Result<LoadedAttachment, PushCryptError>) -> Void) {
        state = LockedValue(State(results: Array(repeating: nil, count: count), completion: completion))
    }

    /// Adds a closure that cancels a download, or calls it if the race is over.
    func add(_ index: Int, _ cancel: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.cancellations.append(cancel)
            return state.completion == nil
        }
        if isOver { cancel() }
    }

    /// Records the result of a download, and completes the race if no better result can come.
    func end(_ index: Int, _ result: Result<LoadedAttachment, PushCryptError>) {
        complete(index, result, isCancelled: false)
    }

    /// Completes the race with the best result so far.
    func cancel() {
        complete(nil, nil, isCancelled: true)
    }

    private func complete(_ index: Int?, _ result: Result<LoadedAttachment, PushCryptError>?, isCancelled: Bool) {
        let (finish, cancellations, unused) = state.withLock { state in
            if let index { state.results[index] = result }
            guard let completion = state.completion else {
                // Too late.
                return (nil, [], [result].compactMap { try? $0?.get().path })
                    as (
                        (@Sendable () -> Void)?, [@Sendable () -> Void], [String]
                    )
            }
            var best: Result<LoadedAttachment, PushCryptError>?
            for result in state.results {
                guard let result else {
                    if isCancelled { continue }
                    return (nil, [], [])
                }
                if case .success = result {
                    best = result
                    break
                }
                best = best ?? result
            }
            state.completion = nil
            let chosen =
                best ?? .failure(AttachmentLoader.failure(.downloadFailed, "The time was over before it was complete"))
            let kept = try? chosen.get().path
            let others = state.results.compactMap { try? $0?.get().path }.filter { $0 != kept }
            return ({ completion(chosen) }, state.cancellations, others)
        }
        for path in unused { try? FileManager.default.removeItem(atPath: path) }
        for cancel in cancellations { cancel() }
        finish?()
    }
}
