<?php

// The library's answers to the requests of test vectors. Only pushcrypt-check and tests load it, in a process of their own.

declare(strict_types=1);

namespace PushCrypt;

const BOX = "'sodium_crypto_box_seal'";
foreach (glob(dirname(__DIR__) . '/src/*.php') as $file) {
    if (basename($file) !== 'Sealer.php') {
        require_once $file;
    }
}
// The code of the library, with a box whose ephemeral key is fixed.
$source = file_get_contents(dirname(__DIR__) . '/src/Sealer.php');
if (substr_count($source, BOX) !== 1) {
    exit("error: The box of the sealer isn't found.\n");
}
eval(substr(str_replace(BOX, "'PushCrypt\\fixed_box'", $source), strlen('<?php')));

final class Fixed
{
    public static array $request;

    public static function bytes(string $name): string
    {
        return sodium_base642bin(self::$request[$name][0], SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING);
    }
}

/** It is called instead of PHP's function, because it is in the library's namespace. */
function random_bytes(int $count): string
{
    return substr(Fixed::bytes('message_ids'), 0, $count);
}

function microtime(bool $asFloat): float
{
    return (Fixed::$request['now_ms'] + 0.5) / 1000;
}

function fixed_box(string $message, string $public): string
{
    $secret = Fixed::bytes('ephemeral_secrets');
    $ephemeral = sodium_crypto_box_publickey_from_secretkey($secret);
    $nonce = sodium_crypto_generichash($ephemeral . $public, '', 24);
    return $ephemeral . sodium_crypto_box($message, $nonce, $secret . $public);
}

function sealer(array $request): Sealer
{
    $settings = array_intersect_key($request, ['padding' => 1, 'placeholder' => 1, 'expose' => 1, 'carrier' => 1]);
    return $request['sender'] === null
        ? Sealer::anonymous(...$settings)
        : Sealer::signed(SigningKey::parse(json_encode($request['sender'])), ...$settings);
}

function limits(Registration $registration): array
{
    return ['generation' => $registration->generation, 'lifetime' => $registration->lifetime,
        'signers' => $registration->recipient->signers];
}

function answered(Push $push, array $request): array
{
    $result = $push->request($request['token'], $request['app_id'] ?? null);
    return ['body' => $result->body, 'headers' => $result->headers];
}

function carrier_request(array $request): array
{
    $push = new Push($request['payload'], $request['apns_headers'], $request['carrier'], $request['issued_at_ms']);
    return answered($push, $request);
}

function limit(array $request): array
{
    Carriers::checkType($request['carrier'], $request['type']);
    $room = Carriers::room($request['carrier'], $request['type'], $request['frame']);
    $length = new \ReflectionMethod(Sealer::class, 'messageLength');
    return ['longest' => $length->invoke(Sealer::anonymous(padding: 'maximum'), 0, $room)];
}

function seal(array $request): array
{
    $names = ['type' => 'type', 'lifetime_s' => 'lifetime', 'topic' => 'topic', 'collapse_id' => 'collapseId',
        'priority' => 'priority'];
    $options = [];
    foreach (array_intersect_key($names, $request) as $name => $parameter) {
        $options[$parameter] = $request[$name];
    }
    $push = sealer($request)->seal($request['payload'], $request['to'], ...$options);
    return ['payload' => $push->payload, 'headers' => $push->headers];
}

function accept(array $request): array
{
    $row = Row::accept(
        $request['text'],
        $request['token'],
        $request['account'],
        $request['row'] === null ? null : Row::parse($request['row']),
        array_map(Row::parse(...), $request['others']),
        $request['now_ms'],
        $request['carrier'] ?? 'apns'
    );
    return ['row' => $row->json()];
}

function key(array $request): array
{
    $types = ['recipient-public' => Recipient::class, 'signing' => SigningKey::class];

    $key = $types[$request['kind']]::parse($request['text']);
    return ['thumbprint' => $key->thumbprint, 'key_id' => Jwk::base64($key->keyId)];
}

function pad(array $request): array
{
    $length = new \ReflectionMethod(Sealer::class, 'messageLength');
    return ['padded' => [$length->invoke(sealer($request), $request['lengths'][0], $request['maximum'] - $request['frame'])]];
}

function apnsId(string $messageId): array
{
    $id = new \ReflectionMethod(Sealer::class, 'apnsId');
    return ['apns_id' => $id->invoke(null, sodium_base642bin($messageId, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING))];
}

/** Returns the library's answer to the request of a vector. Other actions answer requests that aren't vectors. */
function answer_of(array $request, array $others = []): array
{
    Fixed::$request = $request;
    try {
        return match ($request['do']) {
            'key' => key($request),
            'apns-id' => apnsId($request['message_id']),
            'registration' => limits(Registration::parse($request['text'])),
            'token' => ['stored' => Registration::deviceToken($request['text'])],
            'update', 'row' => accept($request),
            'request' => carrier_request($request),
            'limit' => limit($request),
            'choice' => ['kid' => SigningKeyring::parse($request['keyring'])->keyFor($request['signers'])->thumbprint],
            'pad' => pad($request),
            'seal' => seal($request),
            default => $others[$request['do']]($request),
        };
    } catch (PushCryptException $error) {
        $reason = $request['reason'] ?? false ? $error->reason : null;
        $members = ['fails' => $error->errorCode, 'generation' => $error->generation, 'reason' => $reason];
        return array_filter($members, fn ($value) => $value !== null);
    }
}
