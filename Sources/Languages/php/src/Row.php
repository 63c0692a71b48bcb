<?php

declare(strict_types=1);

namespace PushCrypt;

/**
 * A server's row of a device. Times are milliseconds. A row of a newer version is read, and never replaced: the error is
 * newer-format.
 */
final class Row
{
    private const FORMER_PERIOD = 60 * 24 * 3600 * 1000;
    private const FORMER_LIMIT = 64;
    private const KNOWN = ['account', 'carrier', 'deviceToken', 'formerKeys', 'proved', 'registered', 'registration'];
    private const KNOWN_OF_REGISTRATION = ['created', 'generation', 'key', 'lifetime', 'signers'];
    private const KNOWN_OF_KEY = ['crv', 'kid', 'kty', 'use', 'x'];
    private const KNOWN_OF_FORMER_KEY = ['kid', 'replaced'];

    /**
     * @param array<string, int> $formerKeys the time of the registration that replaced a key, by its thumbprint
     * @param ?int $proved the time of the proof of possession that another language has stored
     * @param string $carrier the service that delivers the pushes
     */
    private function __construct(
        public readonly string $account,
        public readonly string $deviceToken,
        public readonly int $registered,
        public readonly Registration $registration,
        public readonly array $formerKeys,
        public readonly ?int $proved = null,
        public readonly string $carrier = 'apns',
        public readonly bool $isNewer = false,
    ) {
    }

    /** Returns the row of its text in the database. */
    public static function parse(string $text): self
    {
        try {
            $node = StrictJson::parse($text);
        } catch (JsonSyntaxException) {
            throw self::malformed();
        }
        $entries = $node->get('formerKeys');
        if ($entries && $entries->type !== 'array') {
            throw self::malformed();
        }
        $formerKeys = [];
        foreach ($entries?->value ?? [] as $entry) {
            $kid = self::string($entry, 'kid');
            $formerKeys[Jwk::isThumbprint($kid) ? $kid : throw self::malformed()] = self::integer($entry, 'replaced');
        }
        $carrier = $node->get('carrier') ? self::string($node, 'carrier') : 'apns';
        return new self(
            self::string($node, 'account'),
            Registration::storedToken(self::string($node, 'deviceToken'), $carrier),
            self::integer($node, 'registered'),
            Registration::parse($node->get('registration') ?? throw self::malformed()),
            $formerKeys,
            $node->get('proved') ? self::integer($node, 'proved') : null,
            $carrier,
            self::isNewer($node)
        );
    }

    /** Returns whether a row has another version, or a member that this version doesn't know. */
    private static function isNewer(Node $row): bool
    {
        $registration = $row->get('registration');
        $hasVersion = $row->get('version')?->integer(1, 1) !== null;
        $isNewer = self::hasUnknown($row, $hasVersion ? [...self::KNOWN, 'version'] : self::KNOWN)
            || self::hasUnknown($registration, self::KNOWN_OF_REGISTRATION)
            || self::hasUnknown($registration->get('key'), self::KNOWN_OF_KEY);
        foreach ($row->get('formerKeys')?->value ?? [] as $entry) {
            $isNewer = $isNewer || self::hasUnknown($entry, self::KNOWN_OF_FORMER_KEY);
        }
        return $isNewer;
    }

    private static function hasUnknown(Node $object, array $known): bool
    {
        return array_diff(array_map('strval', array_keys($object->value)), $known) !== [];
    }

    private function checkVersion(): void
    {
        if ($this->isNewer) {
            throw new PushCryptException(
                'newer-format',
                "A newer version of PushCrypt has written the row, so it isn't changed. Update this program."
            );
        }
    }

    /**
     * Returns the row to store after a registration, or throws an error. Its generation is the answer if it isn't null.
     *
     * Keep the known row after an error.
     *
     * @param ?self $known the row of this token, in lowercase, and account
     * @param self[] $others the account's other rows
     */
    public static function accept(
        string $text,
        string $deviceToken,
        string $account = '',
        ?self $known = null,
        array $others = [],
        ?int $now = null,
        string $carrier = 'apns'
    ): self {
        $token = Registration::storedToken($deviceToken, $carrier);
        $new = Registration::parse($text);
        $now ??= (int) (microtime(true) * 1000);
        $rows = $known ? [$known, ...$others] : $others;
        self::checkPlace($rows, $account, !$known || [$known->deviceToken, $known->carrier] === [$token, $carrier]);
        $known?->checkVersion();
        $proof = $new->isSame($known?->registration) ? $known->proved : null;
        $new->checkGeneration($known?->registration);
        if (isset(self::current($rows, $now)[$new->recipient->thumbprint])) {
            throw new PushCryptException(
                'stale-generation',
                'The key is a former key of the account. Register another key.',
                $new->generation
            );
        }
        $former = self::current($known ? [$known] : $others, $now);
        $old = $known?->registration->recipient;
        if ($old && $old->public !== $new->recipient->public) {
            $former = self::sorted([$old->thumbprint => $now] + $former);
        }
        $former = array_slice($former, 0, self::FORMER_LIMIT, true);
        return new self($account, $token, $now, $new, $former, $proof, $carrier);
    }

    private static function checkPlace(array $rows, string $account, bool $isRight): void
    {
        foreach ($rows as $row) {
            $isRight = $isRight && $row->account === $account;
        }
        if (!$isRight) {
            throw new PushCryptException(
                'malformed-registration',
                'A row has another token or account. Look it up by both.'
            );
        }
    }

    /** Returns the device's key, with its lifetime. */
    public function recipient(): Recipient
    {
        return $this->registration->recipient;
    }

    /** Returns the row's text for the database. */
    public function json(): string
    {
        $this->checkVersion();
        $registration = $this->registration;
        $key = $registration->recipient;
        $row = ['account' => $this->account, 'deviceToken' => $this->deviceToken];
        foreach ($this->formerKeys as $kid => $replaced) {
            $row['formerKeys'][] = ['kid' => (string) $kid, 'replaced' => $replaced];
        }
        return StrictJson::encode($row + [
            'registered' => $this->registered,
            'registration' => [
                'created' => $registration->created,
                'generation' => $registration->generation,
                'key' => [
                    'crv' => 'X25519', 'kid' => $key->thumbprint, 'kty' => 'OKP', 'use' => 'enc',
                    'x' => Jwk::base64($key->public),
                ],
                'lifetime' => $registration->lifetime,
            ] + ($key->signers === null ? [] : ['signers' => $key->signers]),
        ] + ($this->proved === null ? [] : ['proved' => $this->proved])
            + ($this->carrier === 'apns' ? [] : ['carrier' => $this->carrier]));
    }

    /** Returns the former keys of the last 60 days, the newest of each key, the newest first. */
    private static function current(array $rows, int $now): array
    {
        $newest = [];
        foreach ($rows as $row) {
            foreach ($row->formerKeys as $kid => $replaced) {
                if ($replaced + self::FORMER_PERIOD > $now) {
                    $newest[$kid] = max($replaced, $newest[$kid] ?? 0);
                }
            }
        }
        return self::sorted($newest);
    }

    private static function sorted(array $keys): array
    {
        uksort($keys, fn ($a, $b) => $keys[$b] <=> $keys[$a] ?: strcmp((string) $a, (string) $b));
        return $keys;
    }

    private static function string(Node $node, string $name): string
    {
        return $node->get($name)?->text() ?? throw self::malformed();
    }

    private static function integer(Node $node, string $name): int
    {
        return $node->get($name)?->integer(0, Jwk::MAXIMUM_INTEGER) ?? throw self::malformed();
    }

    private static function malformed(): PushCryptException
    {
        return new PushCryptException('malformed-registration', "The row isn't valid. Restore it from a backup, or delete it.");
    }
}
