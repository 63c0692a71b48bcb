import Foundation

/// The random walks through a model in `Tests/Models`, which `Tests/Models/run --write-traces`
/// writes.
///
/// Each line is one event as JSON. The event `begin` begins the next walk.
enum ModelTraces {
    /// Returns the walks of a model, each without its first event.
    static func load<Event: ModelEvent>(_ model: String, as: Event.Type) throws -> [[Event]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Traces/\(model).jsonl")
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        var walks: [[Event]] = []
        for line in lines {
            let event = try JSONDecoder().decode(Event.self, from: Data(line))
            if event.event == "begin" {
                walks.append([])
            } else {
                walks[walks.count - 1].append(event)
            }
        }
        return walks
    }
}

protocol ModelEvent: Decodable {
    var event: String { get }
}

/// A difference between a model and the code.
struct ModelDifference: Error, CustomStringConvertible {
    let description: String
}
