<?php

declare(strict_types=1);

namespace PushCrypt;

/** The rules of a carrier for the pushes that it takes. */
final class Carriers
{
    private const MESSAGES = ['alert', 'background'];
    /** The bytes for the carrier's own members, the characters of the longest sealed value, and what it takes. */
    private const APNS = [
        'types' => null, 'reserve' => 0, 'longestValue' => PHP_INT_MAX, 'exposable' => Sealer::EXPOSABLE_KEYS,
        'hasAps' => true, 'takesSoundMembers' => true, 'takesStringKeys' => true, 'requiresBody' => false,
        'takesCollapseId' => true,
    ];
    private const RULES = [
        'firebase' => ['types' => self::MESSAGES, 'reserve' => 256],
        'firebase-android' => ['types' => self::MESSAGES, 'exposable' => [], 'hasAps' => false],
        'expo' => [
            'types' => self::MESSAGES, 'reserve' => 512,
            'exposable' => ['category', 'sound', 'badge', 'interruption-level', 'content-available'],
            'takesStringKeys' => false, 'takesCollapseId' => false,
        ],
        'onesignal' => [
            // The object with the sealed value has 21 bytes more, and at most 2048.
            'types' => self::MESSAGES, 'reserve' => 512, 'longestValue' => 2048 - 21,
            'exposable' => [
                'category', 'thread-id', 'sound', 'badge', 'interruption-level', 'relevance-score', 'target-content-id',
                'content-available',
            ],
            'takesSoundMembers' => false, 'takesStringKeys' => false, 'requiresBody' => true,
        ],
    ];

    /** Returns a rule of a carrier: that of APNs for an unknown name, such as a relay of your own. */
    private static function rule(string $carrier, string $name): mixed
    {
        return ((self::RULES[$carrier] ?? []) + self::APNS)[$name];
    }

    /** Returns a Boolean value that indicates whether the payload has aps, because the device is Apple's. */
    public static function hasAps(string $carrier): bool
    {
        return self::rule($carrier, 'hasAps');
    }

    /** Returns the number of characters for the sealed value beside the readable bytes of a payload. */
    public static function room(string $carrier, string $type, int $readable): int
    {
        $room = Sealer::PUSH_TYPES[$type][1] - self::rule($carrier, 'reserve') - $readable;
        return min($room, self::rule($carrier, 'longestValue'));
    }

    /** Throws if the carrier can't take the push type. */
    public static function checkType(string $carrier, string $type): void
    {
        $types = self::rule($carrier, 'types');
        if ($types !== null && !in_array($type, $types, true)) {
            $reason = "$carrier takes no sealed $type pushes. Send them to APNs.";
            throw new PushCryptException('not-sealable', $reason);
        }
    }

    /** Returns a Boolean value that indicates whether a push can have a collapse id. */
    public static function takesCollapseId(string $carrier): bool
    {
        return self::rule($carrier, 'takesCollapseId');
    }

    /** Throws if the carrier has no collapse id, and there is one. */
    public static function checkCollapseId(string $carrier, ?string $collapseId): void
    {
        if ($collapseId !== null && !self::takesCollapseId($carrier)) {
            throw new PushCryptException('invalid-header', "$carrier has no collapse id. Omit it.");
        }
    }

    /** Throws if the carrier's request has no member for a readable part of an alert. */
    public static function checkAlert(string $carrier, array $exposed, ?Node $sound, array $placeholder): void
    {
        foreach (array_diff($exposed, self::rule($carrier, 'exposable')) as $key) {
            throw new PushCryptException('invalid-payload', "$carrier has no member for $key. Do not expose it.");
        }
        $hasMembers = in_array('sound', $exposed, true) && $sound?->type === 'object';
        if ($hasMembers && !self::rule($carrier, 'takesSoundMembers')) {
            $reason = "$carrier takes a sound's name only. Do not expose the sound.";
            throw new PushCryptException('invalid-payload', $reason);
        }
        if (!self::hasAps($carrier)) {
            return;
        }
        $names = array_keys(array_filter($placeholder, fn ($value) => $value !== null));
        if (!self::rule($carrier, 'takesStringKeys') && preg_grep('/loc-/', $names)) {
            $reason = "$carrier takes no keys of the app's string table. Use text.";
            throw new PushCryptException('invalid-placeholder', $reason);
        }
        if (self::rule($carrier, 'requiresBody') && ($placeholder['body'] ?? '') === '') {
            $reason = "$carrier requires a body. Add it to the placeholder.";
            throw new PushCryptException('invalid-placeholder', $reason);
        }
    }
}
