#if !canImport(Darwin)
@testable import DocsExamples
import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

/// What the example's content extension shows and leaves on disk.
@Suite(.ownThread) struct ContentExtensionTests {
    private let fixture: ExamplesFixture

    init() throws {
        fixture = try ExamplesFixture()
    }

    /// A downloader that copies a file, and records where.
    private struct Copy: AttachmentDownloader {
        let file: [UInt8]
        let paths = LockedValue<[String]>([])

        func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval)
            async throws
        {
            paths.withLock { $0.append(path) }
            _ = FileManager.default.createFile(atPath: path, contents: Data(file))
        }
    }

    private static let message = """
        {"aps":{"alert":{"title":"Anna","body":"A cat"},"category":"MESSAGE"},\
        "ATTACHMENTS":[{"url":"https://media.example.com/4e1f","type":"image/gif"}]}
        """

    private func setUp(_ file: String = "GIF89a and the rest") -> (PushConfiguration, Copy) {
        let downloader = Copy(file: Array(file.utf8))
        var configuration = fixture.configuration
        configuration.downloader = downloader
        return (configuration, downloader)
    }

    /// Returns what a view shows of a message that the service extension has reduced for the user.
    @MainActor private func show(
        _ display: NotificationDisplay, _ configuration: PushConfiguration
    ) throws -> ExampleContentExtension {
        var reduced = fixture.configuration
        reduced.downloader = Copy(file: [])
        #expect(PushInbox(reduced).prepare(display: display) == nil)
        let notification = try fixture.delivered(
            fixture.sealed(Self.message), by: ExampleService(reduced))
        let view = ExampleContentExtension(configuration)
        view.show(notification)
        return view
    }

    @Test(
        "The picture's file is deleted after loading, also if it isn't a picture",
        arguments: [true, false])
    @MainActor func fileIsDeleted(isPicture: Bool) async throws {
        let (configuration, downloader) = setUp(isPicture ? "GIF89a and the rest" : "<html>")
        let view = try show(.full, configuration)
        #expect(view.title == "Anna" && view.text == "A cat")
        await view.loaded()
        #expect(view.hasPicture == isPicture)
        let path = try #require(downloader.paths.withLock { $0.first })
        for file in [path, path + ".gif"] { #expect(!FileManager.default.fileExists(atPath: file)) }
    }

    @Test("A picture that came too late is deleted, and not shown") @MainActor func lateFile()
        async throws
    {
        let (configuration, downloader) = setUp()
        let view = try show(.full, configuration)
        // The next notification of the thread has no picture.
        view.show(try fixture.delivered(fixture.sealed(#"{"aps":{"alert":"text"}}"#)))
        await view.loaded()
        #expect(view.text == "text" && !view.hasPicture)
        for path in downloader.paths.withLock({ $0 }) {
            #expect(
                await eventuallyOnMain { !FileManager.default.fileExists(atPath: path + ".gif") })
        }
    }

    @Test(
        "If the user wants to see less, the view shows no more than the notification, and loads nothing"
    )
    @MainActor func choiceIsRespected() throws {
        for (display, title, text) in [
            (NotificationDisplay.titleOnly, "Anna", nil), (.nothing, "", nil),
            (.full, "Anna", "A cat"),
        ] as [(NotificationDisplay, String, String?)] {
            let (configuration, downloader) = setUp()
            let view = try show(display, configuration)
            #expect(view.title == title)
            #expect(text.map { view.text == $0 } ?? (view.text?.contains("cat") == false))
            #expect(view.hasBegunToLoad == (display == .full))
            if display != .full { #expect(downloader.paths.withLock { $0.isEmpty }) }
        }
    }

    @Test("Without the app group, the view shows no more than the notification") @MainActor
    func noAppGroup() throws {
        var (configuration, _) = setUp()
        configuration.directory = nil
        let view = try show(.titleOnly, configuration)
        #expect(view.title == "Anna" && view.text?.contains("cat") == false && !view.hasBegunToLoad)
    }
}
#endif
