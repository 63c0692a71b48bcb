internal import Foundation

/// The limits of a campaign.
struct CampaignSettings: Sendable {
    /// The maximum number of pushes without an answer.
    var concurrency = 500
    /// The longest outage in seconds for which the campaign waits.
    var patience: TimeInterval = 3600
    /// A Boolean value that indicates whether the answers come in the order of the lines.
    var keepsOrder = true
    /// The pauses of an outage.
    var pauses = Outage.Pauses()
    /// The seconds for which an ending campaign waits for answers.
    var grace: TimeInterval = 10
    /// The size in memory, in bytes, of the answers that wait for an earlier one; above it, no line
    /// is taken.
    var maximumSize = 16 << 20
    /// The seconds for which results are collected while many pushes are in flight.
    var collection: TimeInterval = 0.002
}
