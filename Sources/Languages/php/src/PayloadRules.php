<?php

declare(strict_types=1);

namespace PushCrypt;

/** The rules of an original payload. */
final class PayloadRules
{
    public const TEXTS = ['title', 'subtitle', 'body', 'title-loc-key', 'subtitle-loc-key', 'loc-key'];
    /** The members that the extension writes. */
    private const RESERVED_NAMES = ['pushcrypt.receipt', 'pushcrypt.added'];
    private const WITHDRAWAL_KEYS = ['collapse-ids', 'thread-ids', 'aps'];
    public const WITHDRAWAL = 8;

    /** Checks the rules of the push type. Returns the kind. */
    public static function check(Node $original, int $length, string $type): int
    {
        if (!isset(Sealer::PUSH_TYPES[$type])) {
            $types = implode(', ', array_keys(Sealer::PUSH_TYPES));
            throw new PushCryptException('not-sealable', "The push type can't be sealed. Use one of: $types.");
        }
        if ($length > 65_535) {
            throw new PushCryptException('payload-too-large', 'The payload is longer than 65,535 bytes. Shorten it.');
        }
        if ($original->get('ENCRYPTED_DATA')) {
            throw new PushCryptException('already-sealed', 'The payload has ENCRYPTED_DATA. Seal the original.');
        }
        foreach (self::RESERVED_NAMES as $name) {
            if ($original->get($name)) {
                throw self::invalid("\"$name\" is reserved for the device. Rename the member");
            }
        }
        $aps = $original->get('aps');
        if ($aps && $aps->type !== 'object') {
            throw self::invalid("aps isn't an object. Use an object");
        }
        $kind = Sealer::PUSH_TYPES[$type][0];
        if ($type === 'alert') {
            $others = array_diff(array_map(strval(...), array_keys($original->value)), self::WITHDRAWAL_KEYS);
            if (!$others && ($original->get('collapse-ids') || $original->get('thread-ids'))) {
                self::checkWithdrawal($original);
                $kind = self::WITHDRAWAL;
            } elseif (!$aps) {
                throw self::invalid('aps is missing. Add aps with an alert');
            }
            self::checkAlert($aps?->get('alert'), $kind);
        } elseif ($type === 'background') {
            self::checkBackground($aps);
        }
        return $kind;
    }

    /** Returns the collapse id of a withdrawal with one, or null. */
    public static function onlyCollapseId(Node $original): ?string
    {
        $ids = $original->get('collapse-ids')?->value ?? [];
        return count($ids) === 1 ? $ids[0]->value : null;
    }

    /** Returns the JSON of exposed members, each after a comma. */
    public static function exposed(?Node $aps, array $names): string
    {
        $result = '';
        foreach (array_intersect(Sealer::EXPOSABLE_KEYS, $names) as $name) {
            $node = $aps?->get($name);
            if (!$node) {
                continue;
            }
            $value = $node->compact();
            if ($name === 'sound' && $node->type === 'object') {
                $parts = [];
                foreach (['critical', 'name', 'volume'] as $key) {
                    $member = $node->get($key);
                    if ($member) {
                        self::checkSimple($member, "aps.sound.$key");
                        $parts[] = "\"$key\":" . $member->compact();
                    }
                }
                $value = '{' . implode(',', $parts) . '}';
            } else {
                self::checkSimple($node, "aps.$name");
            }
            $result .= ",\"$name\":$value";
        }
        return $result;
    }

    private static function checkAlert(?Node $alert, int $kind): void
    {
        $value = $alert?->value;
        if ($alert?->type === 'object') {
            $value = '';
            foreach (self::TEXTS as $name) {
                $text = $alert->get($name);
                if ($text && !$text->isNull() && $text->type !== 'string') {
                    throw self::invalid("A text of aps.alert isn't a string. Use a string");
                }
                $value .= $text?->text() ?? '';
            }
        } elseif ($alert && !$alert->isNull() && $alert->type !== 'string') {
            throw self::invalid("aps.alert isn't a string or an object. Use one of them");
        }
        if (($value ?? '') === '' && $kind !== self::WITHDRAWAL) {
            throw new PushCryptException('no-alert-text', 'aps.alert has no text. Add a title, a subtitle or a body.');
        }
    }

    private static function checkBackground(?Node $aps): void
    {
        $available = $aps?->get('content-available');
        $isOne = $available?->type === 'number' && (float) $available->value === 1.0;
        if (!$isOne && !($available?->type === 'literal' && $available->value === true)) {
            throw self::invalid("aps.content-available isn't 1. Add it to a background push");
        }
        foreach (['alert', 'badge', 'sound'] as $name) {
            if ($aps->get($name) && !$aps->get($name)->isNull()) {
                throw self::invalid('A background push has an alert, badge or sound. Remove it, or send an alert');
            }
        }
    }

    private static function checkWithdrawal(Node $original): void
    {
        $count = 0;
        foreach (['collapse-ids' => '[!-~]{1,64}', 'thread-ids' => '.+'] as $name => $pattern) {
            $ids = $original->get($name);
            $isValid = !$ids || $ids->type === 'array';
            foreach ($isValid && $ids ? $ids->value : [] as $id) {
                $isValid = $isValid && preg_match("/\A$pattern\z/s", $id->text() ?? '') === 1;
                $count++;
            }
            if (!$isValid) {
                throw self::invalid("$name isn't an array of strings, or an id isn't valid. "
                    . 'Use 64 visible ASCII characters');
            }
        }
        if ($count < 1 || $count > 100) {
            throw self::invalid("The withdrawal doesn't have 1 to 100 ids. Add an id, or seal several withdrawals");
        }
    }

    private static function checkSimple(Node $node, string $location): void
    {
        if ($node->type === 'object' || $node->type === 'array') {
            throw self::invalid("The exposed member $location is an object or array. Use a simple value");
        }
    }

    private static function invalid(string $reason): PushCryptException
    {
        return new PushCryptException('invalid-payload', "$reason.");
    }
}
