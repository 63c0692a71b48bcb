<?php

declare(strict_types=1);

namespace PushCrypt;

/** A list of the keys from which devices accept signatures. Its signature is valid. Times are seconds. */
final class SignerList
{
    public const MAXIMUM_LENGTH = 65_536;
    private const TYPE = 'pushcrypt-signers';

    /** @param VerificationKey[] $keys */
    private function __construct(
        public readonly string $text,
        public readonly VerificationKey $root,
        public readonly array $keys,
        public readonly int $number,
        public readonly int $issued,
        public readonly int $expiration,
        public readonly ?string $audience,
    ) {
    }

    /**
     * Returns the list of one of the roots. It checks neither the audience nor the expiration.
     *
     * @param VerificationKey[] $roots
     */
    public static function verify(string $text, array $roots): self
    {
        $parts = explode('.', $text);
        if (strlen($text) > self::MAXIMUM_LENGTH || count($parts) !== 3) {
            throw self::malformed("It is too long, or doesn't have three parts");
        }
        [$header, $content, $signature] = array_map(
            fn ($part) => Jwk::decode($part) ?? throw self::malformed("A part isn't base64url without padding"),
            $parts
        );
        $root = self::root(self::parse($header), $roots);
        if (!$root->verifies($signature, "$parts[0].$parts[1]")) {
            throw new PushCryptException('invalid-signature', "The list's signature isn't valid. Sign the list again.");
        }
        $content = self::parse($content);
        $number = fn (string $name, int $low) => $content->get($name)?->integer($low, Jwk::MAXIMUM_INTEGER)
            ?? throw self::malformed("\"$name\" is missing or isn't an integer");
        $audience = $content->get('aud');
        $list = new self($text, $root, self::keys($content->get('keys')), $number('number', 1), $number('iat', 0),
            $number('exp', 0), $audience?->text());
        if ($list->issued >= $list->expiration || ($audience && $list->audience === null)) {
            throw self::malformed('It expires before it is issued, or "aud" isn\'t a string');
        }
        return $list;
    }

    private static function parse(string $part): Node
    {
        try {
            return StrictJson::parse($part);
        } catch (JsonSyntaxException) {
            throw self::malformed("A part isn't strict JSON");
        }
    }

    /** Returns the pinned root that a header names. */
    private static function root(Node $header, array $roots): VerificationKey
    {
        $texts = array_map(fn ($name) => $header->get($name)?->text(), ['alg', 'typ', 'kid']);
        $isHeader = count($header->value) === 3 && [$texts[0], $texts[1]] === ['Ed25519', self::TYPE];
        if (!$isHeader || !Jwk::isThumbprint($texts[2] ?? '')) {
            throw self::malformed('The header isn\'t "alg" Ed25519, "kid" and "typ"');
        }
        foreach ($roots as $root) {
            if ($root->thumbprint === $texts[2]) {
                return $root;
            }
        }
        throw new PushCryptException('unknown-root', "The list's root isn't pinned. Sign the list with a pinned root.");
    }

    /** @return VerificationKey[] */
    private static function keys(?Node $array): array
    {
        $count = $array?->type === 'array' ? count($array->value) : 0;
        if ($count < 1 || $count > Registration::MAXIMUM_SIGNERS) {
            throw self::malformed('"keys" isn\'t an array of 1 to 64 keys');
        }
        $keys = [];
        foreach ($array->value as $element) {
            try {
                [$public, $secret] = Jwk::members($element, 'Ed25519');
                $key = new VerificationKey($public);
            } catch (PushCryptException) {
                throw self::malformed("A key isn't valid");
            }
            if ($secret !== null || isset($keys[$key->thumbprint])) {
                throw self::malformed('A key is private or there twice');
            }
            $keys[$key->thumbprint] = $key;
        }
        return array_values($keys);
    }

    private static function malformed(string $reason): PushCryptException
    {
        return new PushCryptException('malformed-signer-list', "The list isn't valid. $reason. Issue a new list.");
    }
}

/** The roots that an app pins for an account, in order, and the audience of their lists or null. */
final class SignerRoots
{
    /** @param VerificationKey[] $roots */
    public function __construct(public readonly array $roots, public readonly ?string $audience = null)
    {
    }

    /**
     * Returns the texts to store after a list has come, which are the stored ones if nothing changes.
     *
     * @param string[] $stored
     * @param ?int $now the date of the server's answer, in milliseconds
     * @return string[]
     */
    public function storedWith(string $text, array $stored = [], ?int $now = null): array
    {
        $list = SignerList::verify($text, $this->roots);
        $now ??= (int) (microtime(true) * 1000);
        self::check($list->audience === $this->audience, 'wrong-audience', 'The list is for another audience');
        $lists = [];
        foreach ($stored as $known) {
            try {
                $lists = $this->own([$known]) + $lists;
            } catch (PushCryptException) {
                continue; // A damaged list is replaced.
            }
        }
        $old = $lists[$list->root->thumbprint] ?? null;
        if ($old?->text === $text) {
            return $stored;
        }
        self::check(!$old || $list->number >= $old->number, 'stale-signer-list', 'The device has a newer list');
        self::check(!$old || $list->number > $old->number, 'conflicting-signer-list', 'Two lists have one number');
        self::check(intdiv($now, 1000) < $list->expiration, 'expired-signer-list', 'The list expired before it came');
        $lists[$list->root->thumbprint] = $list;
        return array_map(fn ($each) => $each->text, array_values($lists));
    }

    /**
     * Returns the keys that count with the stored lists.
     *
     * @param string[] $stored
     * @return VerificationKey[]
     */
    public function acceptedKeys(array $stored = []): array
    {
        $lists = $this->own($stored);
        foreach ($this->roots as $root) {
            if (isset($lists[$root->thumbprint])) {
                return $lists[$root->thumbprint]->keys;
            }
        }
        return $this->roots;
    }

    /** Returns the lists of pinned roots for the pinned audience, by root. */
    private function own(array $stored): array
    {
        $lists = [];
        foreach ($stored as $text) {
            try {
                $list = SignerList::verify($text, $this->roots);
            } catch (PushCryptException $error) {
                if ($error->errorCode !== 'unknown-root') {
                    throw $error;
                }
                continue;
            }
            if ($list->audience === $this->audience) {
                $lists[$list->root->thumbprint] = $list;
            }
        }
        return $lists;
    }

    private static function check(bool $condition, string $code, string $reason): void
    {
        if (!$condition) {
            throw new PushCryptException($code, "$reason. Issue a new list.");
        }
    }
}
