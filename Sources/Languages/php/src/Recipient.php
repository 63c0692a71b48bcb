<?php

declare(strict_types=1);

namespace PushCrypt;

/**
 * A device's X25519 key, the longest lifetime in seconds that its registration allows, and the thumbprints of the keys from
 * which it accepts signatures, or null.
 */
final class Recipient
{
    public const MAXIMUM_LIFETIME = 2_592_000;
    private const PRIME = 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f';
    private const SMALL_ORDER = [
        '0000000000000000000000000000000000000000000000000000000000000000',
        '0100000000000000000000000000000000000000000000000000000000000000',
        'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
        'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
        '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    ];

    public readonly string $thumbprint;
    public readonly string $keyId;

    /** @param string $public 32 bytes */
    public function __construct(
        public readonly string $public,
        public readonly int $lifetime = self::MAXIMUM_LIFETIME,
        public readonly ?array $signers = null,
    ) {
        // Both numbers are little-endian.
        if (
            strlen($public) !== 32 || strcmp(strrev($public), strrev(hex2bin(self::PRIME))) >= 0
            || in_array(bin2hex($public), self::SMALL_ORDER, true)
        ) {
            throw new PushCryptException(
                'invalid-key',
                "The X25519 key isn't 32 canonical bytes, or has small order. Register a new key."
            );
        }
        [$this->thumbprint, $this->keyId] = Jwk::thumbprint('X25519', $public);
    }

    /** Returns the recipient of a registration, a JWK, a JWK Set or 43 characters of base64url. */
    public static function parse(string|Node $key): self
    {
        $key = Jwk::read($key);
        if ($key instanceof Node && $key->get('key')) {
            return Registration::parse($key)->recipient;
        }
        return new self(Jwk::publicKey($key));
    }
}

/** A device's registration: its key and signers as a recipient, generation, lifetime and creation time in seconds. */
final class Registration
{
    private const MAXIMUM_SIGNERS = 64;

    private function __construct(
        public readonly Recipient $recipient,
        public readonly int $generation,
        public readonly int $lifetime,
        public readonly int $created,
    ) {
    }

    /** Returns the registration of JSON text. */
    public static function parse(string|Node $text): self
    {
        try {
            $node = is_string($text) ? StrictJson::parse($text) : $text;
        } catch (JsonSyntaxException $error) {
            throw new PushCryptException('malformed-registration', $error->getMessage());
        }
        $key = $node->get('key');
        if ($key?->type !== 'object') {
            throw self::malformed('The member "key" is missing or isn\'t a JWK. Send the registration unchanged');
        }
        [$public, $secret] = Jwk::members($key, 'X25519');
        if ($secret !== null) {
            throw self::malformed('The member "key" is a private key. Replace the key, and send its public half');
        }
        $recipient = new Recipient($public);
        $number = fn (string $name, int $low, int $high) => $node->get($name)?->integer($low, $high)
            ?? throw self::malformed("The member \"$name\" isn't an integer from $low to $high. Register again");
        $generation = $number('generation', 1, Jwk::MAXIMUM_INTEGER);
        $lifetime = $number('lifetime', 1, Recipient::MAXIMUM_LIFETIME);
        $created = $number('created', 0, Jwk::MAXIMUM_INTEGER);
        $signers = $node->get('signers') ? self::signers($node->get('signers')) : null;
        return new self(new Recipient($recipient->public, $lifetime, $signers), $generation, $lifetime, $created);
    }

    /** Returns 1 to 64 different thumbprints. */
    private static function signers(Node $array): array
    {
        $elements = $array->type === 'array' ? $array->value : [];
        // Escapes aren't allowed here.
        $kids = array_map(fn ($element) => $element->text() === null ? '' : substr($element->source, 1, -1), $elements);
        $isValid = count($kids) >= 1 && count($kids) <= self::MAXIMUM_SIGNERS && count(array_unique($kids)) === count($kids);
        foreach ($kids as $kid) {
            $isValid = $isValid && Jwk::isThumbprint($kid);
        }
        return $isValid ? $kids : throw self::malformed('The member "signers" isn\'t valid. Send the registration unchanged');
    }

    /** Returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store. */
    public static function deviceToken(string $text): string
    {
        if (preg_match('/\A(?:[0-9A-Fa-f]{2}){16,200}\z/', $text) !== 1) {
            throw self::malformed("The device token isn't 16 to 200 bytes in hexadecimal. Correct it");
        }
        return strtolower($text);
    }

    /** Returns a token in the form to store: that of APNs in lowercase, and that of another carrier unchanged. */
    public static function storedToken(string $text, string $carrier): string
    {
        return $carrier === 'apns' ? self::deviceToken($text) : $text;
    }

    /** Returns a Boolean value that indicates whether all members of another registration are equal. */
    public function isSame(?self $other): bool
    {
        $parts = fn (self $each) => [
            $each->recipient->public, $each->recipient->signers, $each->generation, $each->lifetime, $each->created,
        ];
        return $other !== null && $parts($this) === $parts($other);
    }

    /** Throws an error with the generation to answer if this registration doesn't follow the known one. */
    public function checkGeneration(?self $known): void
    {
        $stale = $known?->generation ?? 0;
        $limit = $known ? $stale + 2 ** 32 : 2 ** 52;
        $parts = fn (self $each) => [$each->recipient->public, $each->lifetime, $each->recipient->signers];
        $isOther = $known && $parts($this) !== $parts($known);
        if ($this->generation < $stale || $this->generation > $limit || ($this->generation === $stale && $isOther)) {
            throw new PushCryptException(
                'stale-generation',
                "The registration doesn't follow generation $stale. Register again.",
                $stale
            );
        }
    }

    private static function malformed(string $reason): PushCryptException
    {
        return new PushCryptException('malformed-registration', "$reason.");
    }
}
