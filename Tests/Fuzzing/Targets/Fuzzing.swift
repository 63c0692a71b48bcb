import Foundation
import LibFuzzer

/// The process of libFuzzer for the target that `FUZZ_TARGET` names.
@main
enum Fuzzing {
    private static let target: FuzzTarget? = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        return FuzzTarget.all.first { $0.name == name }
    }()

    static func main() {
        guard target != nil else {
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            exit(64)
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            Fuzzing.target?.check([UInt8](UnsafeBufferPointer(start: data, count: size)))
            return 0
        }
        exit(status)
    }
}
