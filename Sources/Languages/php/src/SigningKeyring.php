<?php

declare(strict_types=1);

namespace PushCrypt;

/** A server's signing keys in the order of preference: the primary key, and then retired keys, the newest first. */
final class SigningKeyring
{
    /** @param SigningKey[] $keys */
    public function __construct(private readonly array $keys)
    {
    }

    /**
     * Returns the first key that a device accepts.
     *
     * @param ?string[] $signers thumbprints; null stands for the primary key
     */
    public function keyFor(?array $signers): SigningKey
    {
        foreach ($this->keys as $key) {
            if ($signers === null || in_array($key->thumbprint, $signers, true)) {
                return $key;
            }
        }
        throw new PushCryptException(
            'no-accepted-key',
            'The device accepts no key of the keyring. Send the bare placeholder.'
        );
    }

    /** Returns the keys of a keyring file, which only its owner can read. */
    public static function read(string $path): self
    {
        clearstatcache(true, $path);
        $status = @lstat($path);
        if ($status && (($status['mode'] & 0170000) !== 0100000 || $status['mode'] & 0077)) {
            throw new PushCryptException(
                'insecure-file',
                "The keyring isn't a regular file, or others can access it. Set its mode to 0600."
            );
        }
        $file = $status ? @fopen($path, 'rb') : false;
        if (!$file || fstat($file)['ino'] !== $status['ino'] || ($text = stream_get_contents($file)) === false) {
            throw new PushCryptException('file-system-error', "The keyring can't be read. Check the path.");
        }
        return self::parse($text);
    }

    /** Returns the keys of a keyring's text, for example from a secret manager. */
    public static function parse(#[\SensitiveParameter] string $text): self
    {
        $keyring = Jwk::parse($text);
        if ($keyring->get('protection')) {
            throw new PushCryptException(
                'passphrase-required',
                'The keyring has a passphrase. Remove the passphrase first.'
            );
        }
        Jwk::number($keyring, 'generation', 1);
        [$known, $primary, $retired] = [[], [], []];
        foreach (Jwk::keys($keyring->get('keys')) as $node) {
            $key = SigningKey::parse($node);
            if (Jwk::string($node, 'kid') !== $key->thumbprint) {
                throw new PushCryptException(
                    'thumbprint-mismatch',
                    'A "kid" isn\'t the thumbprint of its key. Restore the file.'
                );
            }
            $state = Jwk::string($node, 'state');
            if (!in_array($state, ['primary', 'pending', 'retired'], true)) {
                throw new PushCryptException('unknown-key-state', 'The state of a key is unknown. Restore the file.');
            }
            Jwk::number($node, 'created');
            if ($state === 'retired') {
                $retired[] = [Jwk::number($node, 'retired'), $key];
            }
            if ($node->get('lifetime')) {
                Jwk::number($node, 'lifetime', 1, Recipient::MAXIMUM_LIFETIME);
            }
            if (in_array($key->thumbprint, $known, true)) {
                throw new PushCryptException('duplicate-key', 'The keyring contains a key twice. Restore the file.');
            }
            $known[] = $key->thumbprint;
            $primary = [...$primary, ...($state === 'primary' ? [$key] : [])];
        }
        if (count($primary) !== 1) {
            throw new PushCryptException(
                $primary ? 'multiple-primary-keys' : 'no-primary-key',
                'The keyring has ' . count($primary) . ' primary keys. Restore the file.'
            );
        }
        usort($retired, fn ($a, $b) => $b[0] <=> $a[0]);
        return new self([...$primary, ...array_column($retired, 1)]);
    }
}
