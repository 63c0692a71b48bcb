// A test of both sides needs to import PushCryptTesting only.
@_exported public import PushCryptReceiver
@_exported public import PushCryptSender
