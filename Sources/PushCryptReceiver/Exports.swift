// Keys, keyrings, payloads and errors have targets of their own; `import PushCryptReceiver` is all
// that a file of a notification service extension needs.
@_exported public import PushCryptCore
@_exported public import PushCryptKeyring
@_exported public import PushCryptPayload
