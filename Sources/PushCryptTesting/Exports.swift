// What a test needs is both sides; with this, `import PushCryptTesting` is enough.
@_exported public import PushCryptReceiver
@_exported public import PushCryptSender
