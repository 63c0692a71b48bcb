public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What became of the last notifications, in numbers: what an app shows in its settings, or reports to its server.
///
/// Its JSON (`Encodable`) has counts, times and reason codes, and nothing by which a message, a key or a person could be told.
public struct DeliverySummary: Sendable, Hashable {
    /// How many originals were shown.
    public private(set) var opened = 0
    /// How many were not sealed, and shown as they were.
    public private(set) var plaintext = 0
    /// How many were shown as the fallback.
    public private(set) var fallback = 0
    /// How many the extension has begun and not finished.
    public private(set) var unfinished = 0
    /// How many were shown without the extension.
    public private(set) var notRun = 0

    /// How often each reason was given.
    public private(set) var reasons: [PushCryptError.Code: Int] = [:]

    /// When each reason was given last.
    public private(set) var lastTime: [PushCryptError.Code: Date] = [:]

    /// When an original was shown last; `nil` where none was.
    public private(set) var lastSuccess: Date?

    /// When the extension has run last, however that ended; `nil` where it has not.
    public private(set) var lastRun: Date?

    /// When the oldest notification that is counted was begun; `nil` where there is none.
    public private(set) var since: Date?

    /// Counts some entries.
    ///
    /// - Parameters:
    ///   - entries: what ``DeliveryLog/entries()`` has returned.
    ///   - now: the time; what was begun within the last minute before it may still be at work, and is not counted as
    ///     unfinished.
    public init(_ entries: [DeliveryLogEntry], now: Date = Date()) {
        for entry in entries {
            if entry.outcome != .notRun { lastRun = max(lastRun ?? entry.began, entry.began) }
            let end = entry.ended ?? entry.began
            switch entry.outcome {
            case .opened:
                opened += 1
                lastSuccess = max(lastSuccess ?? end, end)
            case .plaintext: plaintext += 1
            case .fallback: fallback += 1
            case .unfinished:
                // The system gives an extension about half a minute.
                guard !(0..<60).contains(now.timeIntervalSince(entry.began)) else { continue }
                unfinished += 1
            case .notRun: notRun += 1
            }
            if let reason = entry.reason {
                reasons[reason, default: 0] += 1
                lastTime[reason] = max(lastTime[reason] ?? end, end)
            }
            since = min(since ?? entry.began, entry.began)
        }
    }
}

extension DeliverySummary: Encodable {
    private enum CodingKeys: String, CodingKey {
        case opened, plaintext, fallback, unfinished, reasons, since
        case notRun = "not-run"
        case lastSuccess = "last-success"
        case lastRun = "last-run"
    }

    /// Writes counts, reasons by their codes, and times in whole seconds since 1970.
    ///
    /// - Parameter encoder: the encoder; its settings for dates and names do not matter.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(opened, forKey: .opened)
        try container.encode(plaintext, forKey: .plaintext)
        try container.encode(fallback, forKey: .fallback)
        try container.encode(unfinished, forKey: .unfinished)
        try container.encode(notRun, forKey: .notRun)
        try container.encode(
            Dictionary(reasons.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +), forKey: .reasons)
        try container.encodeIfPresent(Self.seconds(since), forKey: .since)
        try container.encodeIfPresent(Self.seconds(lastSuccess), forKey: .lastSuccess)
        try container.encodeIfPresent(Self.seconds(lastRun), forKey: .lastRun)
    }

    private static func seconds(_ date: Date?) -> UInt64? {
        date.map { $0.millisecondsSince1970 / 1000 }
    }
}
