<?php

declare(strict_types=1);

namespace PushCrypt;

/**
 * A server's challenges for an app.
 *
 * The token, the account and the carrier are those of the request at hand.
 */
final class Challenges
{
    private const CHALLENGE_DOMAIN = "pushcrypt/v1/challenge\0";
    private const PROOF_DOMAIN = "pushcrypt/v1/proof\0";

    /** @var string[] the current secret and the previous one */
    private readonly array $secrets;

    /**
     * @param string $topic the app's bundle ID
     * @param string $secret 32 random bytes
     * @param ?string $previous the secret before, while they rotate
     */
    public function __construct(
        private readonly string $topic,
        #[\SensitiveParameter] string $secret,
        #[\SensitiveParameter] ?string $previous = null,
    ) {
        $this->secrets = array_filter([$secret, $previous], fn ($each) => $each !== null);
        if (array_filter($this->secrets, fn ($each) => strlen($each) !== 32)) {
            throw new \InvalidArgumentException("A secret isn't 32 bytes. Use random_bytes(32), and store it.");
        }
    }

    /** Returns the members that var_dump() and similar functions show, without the secrets. */
    public function __debugInfo(): array
    {
        return ['topic' => $this->topic];
    }

    /**
     * Returns the payload of a challenge, to be sealed with the kind "challenge".
     *
     * @param string $registration the text that the device has sent
     * @param int $expires a time in seconds
     * @param string|array|null $aps the content that a visible challenge displays
     */
    public function issue(
        string $registration,
        string $token,
        int $expires,
        string $account = '',
        string $carrier = 'apns',
        string|array|null $aps = null,
    ): string {
        if ($expires < 0 || $expires > Jwk::MAXIMUM_INTEGER) {
            throw new \InvalidArgumentException("The expiry isn't an integer of seconds. Use a time.");
        }
        $token = Registration::storedToken($token, $carrier);
        $request = [$this->topic, $carrier, $account, $token];
        $nonce = self::nonce($this->secrets[0], $request, self::digest($registration), $expires);
        $after = '';
        if ($aps !== null) {
            $text = is_array($aps) ? StrictJson::encode((object) $aps) : $aps;
            $after = ',"aps":' . StrictJson::parse($text)->compact();
        }
        return '{"challenge":"' . Jwk::base64($nonce) . "\",\"expires\":$expires$after}";
    }

    /** Returns the text of the registration in a device's answer, or throws if its proof isn't valid. */
    public function verify(
        string $answer,
        string $token,
        string $account = '',
        string $carrier = 'apns',
        ?int $now = null,
    ): string {
        [$registration, $expires, $proof] = self::read($answer);
        $token = Registration::storedToken($token, $carrier);
        Registration::parse($registration);
        if (($now ?? (int) (microtime(true) * 1000)) >= $expires * 1000) {
            throw new PushCryptException(
                'expired-challenge',
                'The challenge expired before its answer came. Send another one.'
            );
        }
        $digest = self::digest($registration);
        $isValid = false;
        foreach ($this->secrets as $secret) {
            $nonce = self::nonce($secret, [$this->topic, $carrier, $account, $token], $digest, $expires);
            $expected = self::mac($nonce, self::PROOF_DOMAIN, [$digest, $token, $account]);
            $isValid = hash_equals($expected, $proof) || $isValid;
        }
        if (!$isValid) {
            throw new PushCryptException(
                'invalid-proof',
                "The proof isn't that of the challenge. Send another challenge."
            );
        }
        return $registration;
    }

    /** Returns the registration, the expiry and the proof of an answer. */
    private static function read(string $text): array
    {
        try {
            $node = StrictJson::parse($text);
        } catch (JsonSyntaxException $error) {
            throw new PushCryptException('malformed-registration', $error->getMessage());
        }
        $registration = $node->get('registration')?->text();
        $expires = $node->get('expires')?->integer(0, Jwk::MAXIMUM_INTEGER);
        $proof = Jwk::decode($node->get('proof')?->text() ?? '');
        if ($registration === null || $expires === null || strlen((string) $proof) !== 32) {
            throw new PushCryptException(
                'malformed-registration',
                "The answer isn't valid. Send a device's answer unchanged."
            );
        }
        return [$registration, $expires, $proof];
    }

    private static function digest(string $registration): string
    {
        return sodium_crypto_generichash($registration, '', 32);
    }

    private static function nonce(string $secret, array $request, string $digest, int $expires): string
    {
        return self::mac($secret, self::CHALLENGE_DOMAIN, [...$request, $digest, pack('J', $expires)]);
    }

    /** Returns BLAKE2b under a key of a name and byte strings, each after its length. */
    private static function mac(string $key, string $domain, array $parts): string
    {
        $joined = implode('', array_map(fn ($part) => pack('N', strlen($part)) . $part, $parts));
        return sodium_crypto_generichash($domain . $joined, $key, 32);
    }
}
