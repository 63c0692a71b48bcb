// A tool that checks payloads imports PushCryptLint only.
@_exported public import PushCryptSender
