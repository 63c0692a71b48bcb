import Foundation
import Testing

@testable import PushCryptPayload

@Suite struct NextStepEncodingTests {
    @Test func isFoundations() {
        for code in UInt8.min...UInt8.max {
            let theirs = String(data: Data([code]), encoding: .nextstep)
            #expect(NextStepEncoding.scalar(Int(code)).map { String($0) } == theirs, "\(code)")
        }
    }

    @Test func endsWithTheByte() {
        #expect(NextStepEncoding.scalar(0xFD) == "ÿ")
        for code in [0xFE, 0xFF, 0x100, 0x1FF] { #expect(NextStepEncoding.scalar(code) == nil) }
    }
}
