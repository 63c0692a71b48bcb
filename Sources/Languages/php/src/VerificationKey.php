<?php

declare(strict_types=1);

namespace PushCrypt;

/** A server's public Ed25519 key. */
final class VerificationKey
{
    public readonly string $thumbprint;
    public readonly string $keyId;

    /** @param string $public 32 bytes */
    public function __construct(public readonly string $public)
    {
        if (!Edwards::isVerificationKey($public)) {
            throw new PushCryptException(
                'invalid-key',
                "The Ed25519 key isn't canonical, on the curve or in its main subgroup. Use another key."
            );
        }
        [$this->thumbprint, $this->keyId] = Jwk::thumbprint('Ed25519', $public);
    }

    /** Returns the key of a JWK, a JWK Set or 43 characters of base64url. */
    public static function parse(string|Node $key): self
    {
        return new self(Jwk::publicKey($key, 'Ed25519'));
    }

    /** Returns a Boolean value that indicates whether a signature is valid. */
    public function verifies(string $signature, string $data): bool
    {
        return strlen($signature) === 64 && sodium_crypto_sign_verify_detached($signature, $data, $this->public);
    }
}
