import PushCryptTesting
import Testing

@Suite struct TestKeysTests {
    @Test("The keys are the same in each process") func keysAreTheSameInEachProcess() throws {
        #expect(
            try TestKeys.device(.alice).publicKey.kid
                == "qTuf5JymkeZx3uJgR48t2Y2U4uv-zTx2tHl9gJ4U3ls")
        #expect(
            try TestKeys.device(.bob).publicKey.kid == "BjWsNIDUzvC9wrIqc76LVkvgyvGLuaR9_orGFNtg1C8"
        )
        #expect(
            try TestKeys.sender(.acme).publicKey.kid
                == "qkHIW5lJtR8chS8jnrWyGU1B9qVeCPnReyeJpVt53Ss"
        )
        #expect(
            try TestKeys.sender(.mallory).publicKey.kid
                == "G6bwpIceXCCWUj4k3SMn6XHYcO2_sbKcHfOYO6xjcAM")
    }
}
