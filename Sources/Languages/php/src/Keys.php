<?php

declare(strict_types=1);

namespace PushCrypt;

/** A failure with a code for programs and a reason for people, without content or keys. */
final class PushCryptException extends \Exception
{
    public function __construct(
        public readonly string $errorCode,
        public readonly string $reason,
        public readonly ?int $generation = null, // of a stale answer
    ) {
        parent::__construct("$errorCode: $reason");
    }
}

/** A server's private Ed25519 key. */
final class SigningKey
{
    public readonly string $thumbprint;
    public readonly string $keyId;
    private readonly string $secret;

    /** @param string $seed 32 bytes */
    public function __construct(#[\SensitiveParameter] string $seed, ?string $public = null)
    {
        $pair = sodium_crypto_sign_seed_keypair($seed);
        $derived = sodium_crypto_sign_publickey($pair);
        if ($public !== null && !hash_equals($derived, $public)) {
            throw new PushCryptException(
                'key-pair-mismatch',
                'The member "d" doesn\'t belong to "x". Use the original key.'
            );
        }
        $this->secret = sodium_crypto_sign_secretkey($pair);
        [$this->thumbprint, $this->keyId] = Jwk::thumbprint('Ed25519', $derived);
    }

    /** Returns the members that var_dump() and similar functions show, without the secret. */
    public function __debugInfo(): array
    {
        return ['thumbprint' => $this->thumbprint];
    }

    /** Returns the signature, 64 bytes. */
    public function sign(string $data): string
    {
        return sodium_crypto_sign_detached($data, $this->secret);
    }

    /** Returns the private key of a JWK. */
    public static function parse(#[\SensitiveParameter] string|Node $key): self
    {
        [$public, $seed] = Jwk::members(is_string($key) ? Jwk::parse($key) : $key, 'Ed25519');
        if ($seed === null) {
            throw new PushCryptException('wrong-key-type', 'The JWK is a public key. Use a JWK with "d".');
        }
        return new self($seed, $public);
    }
}

/** JWKs and their text. */
final class Jwk
{
    public const MAXIMUM_INTEGER = 2 ** 53 - 1;
    private const USES = ['X25519' => 'enc', 'Ed25519' => 'sig'];

    /** Returns the thumbprint and the key id. */
    public static function thumbprint(string $curve, string $public): array
    {
        $text = sprintf('{"crv":"%s","kty":"OKP","x":"%s"}', $curve, self::base64($public));
        $digest = hash('sha256', $text, true);
        return [self::base64($digest), substr($digest, 0, 8)];
    }

    /** Returns base64url without padding. */
    public static function base64(string $data): string
    {
        return sodium_bin2base64($data, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING);
    }

    /** Returns the bytes of strict base64url without padding, or null. */
    public static function decode(#[\SensitiveParameter] string $text): ?string
    {
        try {
            $data = sodium_base642bin($text, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING);
        } catch (\SodiumException) {
            return null;
        }
        return hash_equals(self::base64($data), $text) ? $data : null;
    }

    public static function decodeKey(#[\SensitiveParameter] string $text): string
    {
        $data = self::decode($text);
        if ($data === null || strlen($data) !== 32) {
            throw self::malformed("The key isn't 32 bytes in strict base64url. Use the whole key");
        }
        return $data;
    }

    /** Returns a Boolean value that indicates whether a text is 32 bytes in strict base64url. */
    public static function isThumbprint(string $text): bool
    {
        return strlen((string) self::decode($text)) === 32;
    }

    public static function parse(#[\SensitiveParameter] string $text): Node
    {
        try {
            return StrictJson::parse($text);
        } catch (JsonSyntaxException $error) {
            throw new PushCryptException('malformed-jwk', $error->getMessage());
        }
    }

    /** Returns the object of a text, or the text of a raw key without white space around it. */
    public static function read(string|Node $key): string|Node
    {
        if (!is_string($key)) {
            return $key;
        }
        $text = trim($key, " \t\r\n");
        return str_starts_with($text, '{') ? self::parse($text) : $text;
    }

    /** Returns the 32 bytes of an X25519 key: a JWK, a JWK Set or 43 characters of base64url. */
    public static function publicKey(string|Node $key): string
    {
        if (is_string($key)) {
            return self::decodeKey($key);
        }
        return self::members($key->get('keys') ? self::primary($key->get('keys')) : $key, 'X25519')[0];
    }

    public static function string(Node $node, string $name): string
    {
        return $node->get($name)?->text()
            ?? throw self::malformed("The member \"$name\" is missing or isn't a string. Use a whole JWK");
    }

    public static function number(Node $node, string $name, int $low = 0, int $high = self::MAXIMUM_INTEGER): int
    {
        return $node->get($name)?->integer($low, $high) ?? throw new PushCryptException(
            'malformed-keyring',
            "The number \"$name\" is missing or isn't valid. Restore the file."
        );
    }

    /** Returns the bytes of "x" and "d" of a JWK of a curve, or of any curve. "d" can be null. */
    public static function members(Node $node, ?string $curve = null): array
    {
        $type = [self::string($node, 'kty'), self::string($node, 'crv')];
        self::string($node, 'x');
        $use = self::USES[$type[1]] ?? null;
        $type[] = $node->get('use') ? self::string($node, 'use') : $use;
        if ($node->get('d')) {
            self::string($node, 'd');
        }
        if ($use === null || $type !== ['OKP', $curve ?? $type[1], $use]) {
            $curve ??= 'X25519 or Ed25519';
            throw new PushCryptException('wrong-key-type', "The JWK isn't for $curve. Use a key of this type.");
        }
        // The source has the same characters, because escapes aren't allowed here.
        $decode = fn (?Node $member) => $member ? self::decodeKey(substr($member->source, 1, -1)) : null;
        return [$decode($node->get('x')), $decode($node->get('d'))];
    }

    public static function keys(?Node $node): array
    {
        if ($node?->type !== 'array' || !$node->value) {
            throw self::malformed('The member "keys" isn\'t an array with keys. Use a JWK Set');
        }
        return $node->value;
    }

    /** Returns the primary key of a set, or its only key. */
    private static function primary(Node $node): Node
    {
        [$keys, $primary] = [self::keys($node), []];
        foreach ($keys as $key) {
            self::members($key); // Only the chosen key must be of the needed curve.
            if ($key->get('state') && self::string($key, 'state') === 'primary') {
                $primary[] = $key;
            }
        }
        if (count($primary) > 1) {
            throw new PushCryptException('multiple-primary-keys', 'The set has several primary keys. Use one key.');
        }
        if (!$primary && count($keys) > 1) {
            throw self::malformed('The set has several keys and no primary key. Use one key');
        }
        return $primary[0] ?? $keys[0];
    }

    private static function malformed(string $reason): PushCryptException
    {
        return new PushCryptException('malformed-jwk', "$reason.");
    }
}
