<?php

declare(strict_types=1);

namespace PushCrypt;

/** The parts of a sealed push as JSON texts, and the requests with them. A part is null if it is missing. */
final class CarrierContent
{
    /** The longest time in seconds for which Firebase keeps a push for Android, and OneSignal each push. */
    private const FOUR_WEEKS = 28 * 24 * 3600;
    /** Without apns-id, which only APNs gets. */
    private const FIREBASE_HEADERS = [
        'apns-collapse-id', 'apns-expiration', 'apns-priority', 'apns-push-type', 'apns-topic',
    ];
    /** OneSignal's name of an interruption level. */
    private const LEVELS = ['time-sensitive' => 'time_sensitive'];

    private readonly ?Node $aps;
    private readonly string $data;
    /** In seconds. */
    private readonly ?int $expiration;
    /** The number of seconds from the time of issue to the expiration. */
    private readonly ?int $timeToLive;

    public function __construct(private readonly Push $push)
    {
        $root = StrictJson::parse($push->payload);
        $this->aps = $root->get('aps');
        $this->data = self::object(['ENCRYPTED_DATA' => $root->get('ENCRYPTED_DATA')?->source]);
        $end = $push->headers['apns-expiration'] ?? null;
        $this->expiration = $end === null ? null : (int) $end;
        $left = intdiv(max($this->expiration * 1000 - $push->issuedAt, 0), 1000);
        $this->timeToLive = $this->expiration ? $left : $this->expiration;
    }

    /** Returns the request for a token of the push's carrier. */
    public function request(string $token, ?string $appId): CarrierRequest
    {
        if (preg_match('/\A[!-~]+\z/', $token) !== 1) {
            throw self::invalidHeader("The device token isn't visible ASCII. Give it as the carrier issued it.");
        }
        $headers = ['Content-Type' => 'application/json'];
        return match ($this->push->carrier) {
            'apns' => new CarrierRequest($this->push->payload, $this->push->headers),
            'firebase' => new CarrierRequest($this->firebase($token), $headers),
            'firebase-android' => new CarrierRequest($this->firebaseAndroid($token), $headers),
            'expo' => new CarrierRequest($this->expo($token), $headers),
            'onesignal' => new CarrierRequest($this->oneSignal($token, $appId), $headers),
            default => throw new PushCryptException(
                'not-sealable',
                "The carrier's request isn't known. Send the payload to it yourself."
            ),
        };
    }

    private static function invalidHeader(string $reason): PushCryptException
    {
        return new PushCryptException('invalid-header', $reason);
    }

    /** Returns an object in JSON with members in JSON, without those that are null. */
    private static function object(array $members): string
    {
        $parts = [];
        foreach (array_filter($members, fn ($value) => $value !== null) as $name => $value) {
            $parts[] = self::text($name) . ":$value";
        }
        return '{' . implode(',', $parts) . '}';
    }

    private static function text(?string $text): ?string
    {
        return $text === null ? null : StrictJson::encode($text);
    }

    private function header(string $name): ?string
    {
        return self::text($this->push->headers[$name] ?? null);
    }

    private function value(string $key): ?string
    {
        return $this->aps?->get($key)?->source;
    }

    private function line(string $name): ?string
    {
        return $this->aps?->get('alert')?->get($name)?->source;
    }

    private function flag(string $key): ?string
    {
        return $this->aps?->get($key) ? 'true' : null;
    }

    private function urgency(): string
    {
        return $this->push->headers['apns-priority'] === '10' ? '"high"' : '"normal"';
    }

    /** Returns the time to live in digits, at most four weeks. */
    private function seconds(): ?string
    {
        return $this->timeToLive === null ? null : (string) min($this->timeToLive, self::FOUR_WEEKS);
    }

    private function firebase(string $token): string
    {
        $headers = [];
        foreach (self::FIREBASE_HEADERS as $name) {
            $headers[$name] = $this->header($name);
        }
        $apns = self::object(['headers' => self::object($headers), 'payload' => $this->push->payload]);
        return self::object(['message' => self::object(['token' => self::text($token), 'apns' => $apns])]);
    }

    private function firebaseAndroid(string $token): string
    {
        $seconds = $this->seconds();
        $android = self::object([
            'priority' => $this->urgency(),
            'ttl' => $seconds === null ? null : "\"{$seconds}s\"",
            'collapseKey' => $this->header('apns-collapse-id'),
            'data' => $this->data,
        ]);
        return self::object(['message' => self::object(['token' => self::text($token), 'android' => $android])]);
    }

    private function expo(string $token): string
    {
        return self::object([
            'to' => self::text($token),
            'title' => $this->line('title'),
            'subtitle' => $this->line('subtitle'),
            'body' => $this->line('body'),
            'mutableContent' => $this->flag('mutable-content'),
            '_contentAvailable' => $this->flag('content-available'),
            'badge' => $this->value('badge'),
            'sound' => $this->value('sound'),
            'categoryId' => $this->value('category'),
            'interruptionLevel' => $this->value('interruption-level'),
            'data' => $this->data,
            ($this->expiration === 0 ? 'ttl' : 'expiration') => $this->expiration,
            'priority' => $this->urgency(),
        ]);
    }

    private function oneSignal(string $token, ?string $appId): string
    {
        if (($appId ?? '') === '') {
            throw new PushCryptException('missing-value', "OneSignal requires the app's id. Give it.");
        }
        // OneSignal shows English to users of a language without its own text.
        $english = fn (?string $line) => $line === null ? null : self::object(['en' => $line]);
        $level = $this->aps?->get('interruption-level')?->text();
        return self::object([
            'app_id' => self::text($appId),
            'include_subscription_ids' => '[' . self::text($token) . ']',
            'target_channel' => '"push"',
            'contents' => $english($this->line('body')),
            'headings' => $english($this->line('title')),
            'subtitle' => $english($this->line('subtitle')),
            'mutable_content' => $this->flag('mutable-content'),
            'content_available' => $this->flag('content-available'),
            'ios_badgeType' => $this->value('badge') === null ? null : '"SetTo"',
            'ios_badgeCount' => $this->value('badge'),
            'ios_interruption_level' => $level === null ? null : self::text(self::LEVELS[$level] ?? $level),
            'ios_sound' => $this->value('sound'),
            'ios_category' => $this->value('category'),
            'thread_id' => $this->value('thread-id'),
            'ios_relevance_score' => $this->value('relevance-score'),
            'target_content_identifier' => $this->value('target-content-id'),
            'data' => $this->data,
            'ttl' => $this->seconds(),
            'priority' => $this->push->headers['apns-priority'],
            'collapse_id' => $this->header('apns-collapse-id'),
        ]);
    }
}
