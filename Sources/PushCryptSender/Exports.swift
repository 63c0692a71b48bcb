// A server imports PushCryptSender only: it exports the internal targets.
@_exported public import PushCryptAttachments
@_exported public import PushCryptCore
@_exported public import PushCryptKeyring
@_exported public import PushCryptPayload
