// Keys, keyrings, payloads and errors have targets of their own; `import PushCryptSender` is all that a file of a server needs.
@_exported public import PushCryptCore
@_exported public import PushCryptKeyring
@_exported public import PushCryptPayload
@_exported public import PushCryptRules
