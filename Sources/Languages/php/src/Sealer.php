<?php

declare(strict_types=1);

namespace PushCrypt;

/** Seals payloads. Create it with signed() or anonymous(). */
final class Sealer
{
    public const DEFAULT_LIFETIME = 604_800;
    private const SIGNATURE_DOMAIN = "pushcrypt/v1/signature\0";
    private const APNS_ID_DOMAIN = "pushcrypt/v1/apns-id\0";
    /** Kind, and APNs' limit in bytes. Live Activities aren't implemented. */
    public const PUSH_TYPES = [
        'alert' => [1, 4096], 'background' => [2, 4096], 'voip' => [3, 5120], 'location' => [6, 4096],
        'pushtotalk' => [7, 4096],
    ];
    /** The ends that Apple requires of the header apns-topic. */
    private const TOPIC_SUFFIXES = ['voip' => '.voip', 'location' => '.location-query', 'pushtotalk' => '.voip-ptt'];
    private const PADDINGS = ['buckets', 'maximum', 'none'];
    public const EXPOSABLE_KEYS = [
        'category', 'thread-id', 'sound', 'badge', 'interruption-level', 'relevance-score', 'target-content-id',
        'filter-criteria', 'content-available', 'alert',
    ];
    private const PLACEHOLDER_KEYS = [
        'title', 'title-loc-key', 'title-loc-args', 'subtitle', 'subtitle-loc-key', 'subtitle-loc-args', 'body', 'loc-key',
        'loc-args',
    ];

    private readonly string $placeholder;
    private readonly array $expose;

    private function __construct(
        private readonly ?SigningKeyring $keyring,
        private readonly int $lifetime,
        private readonly string $padding,
        private readonly array $lines,
        array $expose,
        private readonly string $carrier,
    ) {
        self::checkLifetime($lifetime);
        $this->placeholder = self::encodePlaceholder($lines);
        if (!in_array($padding, self::PADDINGS, true) || array_diff($expose, self::EXPOSABLE_KEYS)) {
            throw new \InvalidArgumentException('The padding or an exposed key is unknown. Use a listed value.');
        }
        // The alert stays readable in Live Activities alone, which aren't implemented.
        $this->expose = array_diff($expose, ['alert']);
    }

    /**
     * Returns a sealer that signs for each device with the first key of the keyring that the device accepts.
     *
     * @param SigningKeyring|SigningKey $keys a key is a keyring of one key
     * @param array $placeholder members of Apple's alert dictionary
     * @param string $carrier the service that sends the pushes, which decides the longest payload and the push types
     */
    public static function signed(
        SigningKeyring|SigningKey $keys,
        int $lifetime = self::DEFAULT_LIFETIME,
        string $padding = 'buckets',
        array $placeholder = ['body' => '(Encrypted)'],
        array $expose = [],
        string $carrier = 'apns',
    ): self {
        $keyring = $keys instanceof SigningKey ? new SigningKeyring([$keys]) : $keys;
        return new self($keyring, $lifetime, $padding, $placeholder, $expose, $carrier);
    }

    /** Returns a sealer that doesn't sign. Anyone who knows a device's public key could have sent its messages. */
    public static function anonymous(
        int $lifetime = self::DEFAULT_LIFETIME,
        string $padding = 'buckets',
        array $placeholder = ['body' => '(Encrypted)'],
        array $expose = [],
        string $carrier = 'apns',
    ): self {
        return new self(null, $lifetime, $padding, $placeholder, $expose, $carrier);
    }

    /**
     * Returns the push for one recipient. JSON text arrives byte for byte without white space between tokens.
     *
     * @param Row|Recipient|string $to a row, a recipient, or the text of a registration or key
     * @param ?int $lifetime in seconds
     */
    public function seal(
        string|array $payload,
        Row|Recipient|string $to,
        string $type = 'alert',
        ?int $lifetime = null,
        ?string $topic = null,
        ?string $collapseId = null,
        ?int $priority = null,
    ): Push {
        $now = (int) floor(microtime(true) * 1000);
        try {
            $original = StrictJson::parse(is_array($payload) ? StrictJson::encode((object) $payload) : $payload);
        } catch (JsonSyntaxException | \JsonException $error) {
            throw new PushCryptException('malformed-json', $error->getMessage());
        }
        $compact = $original->compact();
        $kind = PayloadRules::check($original, strlen($compact), $type);
        if ($kind === PayloadRules::WITHDRAWAL && Carriers::takesCollapseId($this->carrier)) {
            $collapseId ??= PayloadRules::onlyCollapseId($original);
        }
        $this->checkCarrier($original, $type, $collapseId);
        [$before, $after] = [$this->frame($original, $type), '"}'];
        $room = Carriers::room($this->carrier, $type, strlen($before . $after));
        $length = $this->messageLength(strlen($compact), $room);
        $recipient = $this->recipient($to);
        $seconds = min(self::checkLifetime($lifetime ?? $this->lifetime), $recipient->lifetime);
        $headers = self::headers($type, intdiv($now, 1000) + $seconds, $topic, $collapseId, $priority);
        $messageId = random_bytes(16);
        $headers['apns-id'] = self::apnsId($messageId);
        $key = $this->keyring?->keyFor($recipient->signers);
        $envelope = self::envelope($compact, $kind, $seconds, $recipient, $key, $length, $now, $messageId);
        return new Push($before . Jwk::base64($envelope) . $after, $headers, $this->carrier, $now);
    }

    private function checkCarrier(Node $original, string $type, ?string $collapseId): void
    {
        Carriers::checkType($this->carrier, $type);
        Carriers::checkCollapseId($this->carrier, $collapseId);
        if ($type === 'alert') {
            Carriers::checkAlert($this->carrier, $this->expose, $original->get('aps')?->get('sound'), $this->lines);
        }
    }

    /** Returns the key to seal to. */
    private function recipient(Row|Recipient|string $to): Recipient
    {
        if ($to instanceof Row && $to->carrier !== $this->carrier) {
            $reason = "The row has a token of another carrier. Set the sealer's carrier.";
            throw new PushCryptException('wrong-carrier', $reason);
        }
        return match (true) {
            $to instanceof Row => $to->recipient(),
            is_string($to) => Recipient::parse($to),
            default => $to,
        };
    }

    /** Returns the lifetime in seconds, if it is from 1 second to 30 days. */
    private static function checkLifetime(int $seconds): int
    {
        if ($seconds < 1 || $seconds > Recipient::MAXIMUM_LIFETIME) {
            throw new PushCryptException(
                'invalid-lifetime',
                "The lifetime isn't from 1 second to 30 days. Use a lifetime in this range."
            );
        }
        return $seconds;
    }

    /** Returns the headers of the request to APNs. */
    private static function headers(
        string $type,
        int $expiration,
        ?string $topic = null,
        ?string $collapseId = null,
        ?int $priority = null,
    ): array {
        $priority ??= $type === 'background' ? 5 : 10;
        if (!in_array($priority, [1, 5, 10], true) || ($type === 'background' && $priority === 10)) {
            throw new PushCryptException(
                'invalid-header',
                "The priority isn't 1, 5 or 10, or is 10 for a background push. Correct it."
            );
        }
        $expiration = $type === 'pushtotalk' ? 0 : $expiration; // APNs must not deliver it later.
        $headers = [
            'apns-push-type' => $type, 'apns-priority' => (string) $priority, 'apns-expiration' => (string) $expiration,
        ];
        $values = [['apns-topic', $topic, '[!-~]+'], ['apns-collapse-id', $collapseId, '[!-~]{1,64}']];
        foreach ($values as [$name, $value, $pattern]) {
            if ($value !== null && preg_match("/\A$pattern\z/", $value) !== 1) {
                throw new PushCryptException(
                    'invalid-header',
                    "$name isn't visible ASCII, or an id has over 64 bytes. Correct it."
                );
            }
            $headers += $value === null ? [] : [$name => $value];
        }
        $suffix = self::TOPIC_SUFFIXES[$type] ?? '';
        if ($topic !== null && ($topic === $suffix || !str_ends_with($topic, $suffix))) {
            throw new PushCryptException(
                'invalid-header',
                "The topic doesn't fit the push type. Append $suffix to the app's bundle ID."
            );
        }
        return $headers;
    }

    /** Returns the header apns-id: a hash of the message id as a UUID of version 8 (RFC 9562). */
    private static function apnsId(string $messageId): string
    {
        $digest = sodium_crypto_generichash(self::APNS_ID_DOMAIN . $messageId, '', 16);
        $digest[6] = chr(ord($digest[6]) & 0x0F | 0x80);
        $digest[8] = chr(ord($digest[8]) & 0x3F | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($digest), 4));
    }

    /**
     * @internal Tests pass a message id, a time and the box of a fixed ephemeral key. A second message with the same
     *     ephemeral key would have the same key stream.
     */
    public static function envelope(
        string $original,
        int $kind,
        int $lifetime,
        Recipient $recipient,
        ?SigningKey $key,
        int $length,
        int $now,
        string $messageId,
        ?callable $box = null,
    ): string {
        $header = "\x01" . $recipient->keyId;
        $message = pack('CCnNJ', $key ? 1 : 0, $kind, strlen($original), $lifetime, $now) . $messageId . $original;
        $message = str_pad($message, $length - ($key ? 72 : 0), "\0");
        if ($key) {
            $message .= $key->keyId;
            $message .= $key->sign(self::SIGNATURE_DOMAIN . $header . $recipient->public . $message);
        }
        try {
            return $header . ($box ?? 'sodium_crypto_box_seal')($message, $recipient->public);
        } catch (\SodiumException) {
            throw new PushCryptException('invalid-key', "The key can't be used to seal. Register a new key.");
        }
    }

    private function frame(Node $original, string $type): string
    {
        if (!Carriers::hasAps($this->carrier)) {
            return '{"ENCRYPTED_DATA":"';
        }
        $aps = match ($type) {
            'alert' => '"alert":' . $this->placeholder . ',"mutable-content":1'
                . PayloadRules::exposed($original->get('aps'), $this->expose),
            'background' => '"content-available":1',
            default => '',
        };
        return '{"aps":{' . $aps . '},"ENCRYPTED_DATA":"';
    }

    private function messageLength(int $payloadLength, int $room): int
    {
        $needed = $payloadLength + ($this->keyring ? 104 : 32);
        $limit = intdiv(max($room, 0) * 3, 4) - 57;
        if ($needed > $limit) {
            throw new PushCryptException(
                'payload-too-large',
                'The payload is ' . ($needed - $limit) . ' bytes too long. Shorten it.'
            );
        }
        if ($this->padding === 'none') {
            return $needed;
        }
        foreach ($this->padding === 'buckets' ? [256, 512, 1024, 2048] : [] as $size) {
            if ($needed <= $size && $size <= $limit) {
                return $size;
            }
        }
        return $limit;
    }

    private static function encodePlaceholder(array $placeholder): string
    {
        $parts = array_filter($placeholder, fn ($value) => $value !== null);
        $texts = array_filter(PayloadRules::TEXTS, fn ($name) => ($parts[$name] ?? '') !== '');
        if (!$texts || array_diff(array_keys($parts), self::PLACEHOLDER_KEYS)) {
            throw new PushCryptException(
                'invalid-placeholder',
                'The placeholder has no text, or an unknown member. Add a body.'
            );
        }
        $order = array_flip(array_intersect(self::PLACEHOLDER_KEYS, array_keys($parts)));
        try {
            return StrictJson::encode(array_replace($order, $parts));
        } catch (\JsonException) {
            throw new PushCryptException('invalid-placeholder', "The placeholder isn't Unicode text. Use UTF-8.");
        }
    }
}
