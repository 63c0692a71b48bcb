<?php

// Answers requests of Tests/Interop/run with the PHP library in the directory that is the argument.

declare(strict_types=1);

namespace PushCrypt;

ini_set('display_errors', 'stderr');
require "$argv[1]/check/answers.php";

function carrier_seal(array $request): array
{
    // The sealer of the vectors has fixed values, with which these pushes aren't compared.
    Fixed::$request += [
        'message_ids' => [Jwk::base64(str_repeat("\0", 16))], 'ephemeral_secrets' => [Jwk::base64(str_repeat("\1", 32))],
        'now_ms' => (int) (\microtime(true) * 1000),
    ];
    $names = ['type' => 'type', 'topic' => 'topic', 'collapse_id' => 'collapseId', 'priority' => 'priority'];
    $options = [];
    foreach (array_intersect_key($names, $request) as $name => $parameter) {
        $options[$parameter] = $request[$name];
    }
    $to = $request['row'] === null ? $request['to'] : Row::parse($request['row']);
    $push = sealer($request)->seal($request['payload'], $to, ...$options);
    return ['payload' => $push->payload, 'apns_headers' => $push->headers, 'issued_at_ms' => $push->issuedAt]
        + answered($push, $request);
}

function printed(SigningKey $key): array
{
    $texts = [];
    foreach ([$key, Sealer::signed($key), [$key]] as $value) {
        ob_start();
        var_dump($value);
        $texts = [...$texts, ob_get_clean(), print_r($value, true), json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE)];
    }
    return ['texts' => $texts];
}

$others = [
    'keyring' => fn (array $request) => ['thumbprint' => SigningKeyring::read($request['text'])->keyFor(null)->thumbprint],
    'print' => fn (array $request) => printed(SigningKey::parse($request['text'])),
    'carrier-seal' => carrier_seal(...),
];
while (($line = fgets(STDIN)) !== false) {
    $answer = answer_of(json_decode($line, true, 512, JSON_THROW_ON_ERROR), $others);
    echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
