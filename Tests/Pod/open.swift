// Opens a push with the module of the pod, and prints the original.
import Foundation
import PushCryptApple

struct FixedTime: TimeSource {
    let now: Date
}

@main enum Client {
    static func main() throws {
        let arguments = CommandLine.arguments
        let time = FixedTime(now: Date(timeIntervalSince1970: TimeInterval(arguments[2]) ?? 0))
        let opener = Opener(
            keys: KeyringFileStore(path: arguments[1]), senderPolicy: .anyone, time: time)
        print(String(decoding: try opener.open(json: arguments[3]).payload, as: UTF8.self))
    }
}
