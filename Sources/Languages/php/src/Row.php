<?php

declare(strict_types=1);

namespace PushCrypt;

/** A server's row of a device. Times are milliseconds. */
final class Row
{
    private const FORMER_PERIOD = 60 * 24 * 3600 * 1000;
    private const FORMER_LIMIT = 64;

    /** @param array<string, int> $formerKeys the time of the registration that replaced a key, by its thumbprint */
    private function __construct(
        public readonly string $account,
        public readonly string $deviceToken,
        public readonly int $registered,
        public readonly Registration $registration,
        public readonly array $formerKeys,
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
        return new self(
            self::string($node, 'account'),
            Registration::deviceToken(self::string($node, 'deviceToken')),
            self::integer($node, 'registered'),
            Registration::parse($node->get('registration') ?? throw self::malformed()),
            $formerKeys
        );
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
        ?int $now = null
    ): self {
        $token = Registration::deviceToken($deviceToken);
        $new = Registration::parse($text);
        $now ??= (int) (microtime(true) * 1000);
        $rows = $known ? [$known, ...$others] : $others;
        $isRight = !$known || $known->deviceToken === $token;
        foreach ($rows as $row) {
            $isRight = $isRight && $row->account === $account;
        }
        if (!$isRight) {
            throw new PushCryptException(
                'malformed-registration',
                'A row has another token or account. Look it up by both.'
            );
        }
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
        return new self($account, $token, $now, $new, array_slice($former, 0, self::FORMER_LIMIT, true));
    }

    /** Returns the device's key, with its lifetime. */
    public function recipient(): Recipient
    {
        return $this->registration->recipient;
    }

    /** Returns the row's text for the database. */
    public function json(): string
    {
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
        ]);
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
