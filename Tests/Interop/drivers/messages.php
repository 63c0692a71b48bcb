<?php

// Seals for each request in a line, with the PHP library in the directory that is the argument. Nothing is fixed.

declare(strict_types=1);

namespace PushCrypt;

ini_set('display_errors', 'stderr');
foreach (glob("$argv[1]/src/*.php") as $file) {
    require_once $file;
}

function sealed(array $request): array
{
    $settings = array_intersect_key($request, ['padding' => 1, 'placeholder' => 1, 'expose' => 1]);
    $sealer = $request['keyring'] === null
        ? Sealer::anonymous(...$settings)
        : Sealer::signed(SigningKeyring::read($request['keyring']), ...$settings);
    try {
        $push = $sealer->seal($request['payload'], $request['to'], $request['type'], $request['lifetime_s']);
    } catch (PushCryptException $error) {
        return ['fails' => $error->errorCode, 'reason' => $error->reason];
    }
    return ['payload' => $push->payload, 'headers' => $push->headers];
}

while (($line = fgets(STDIN)) !== false) {
    echo json_encode(sealed(json_decode($line, true, 512, JSON_THROW_ON_ERROR)), JSON_THROW_ON_ERROR), "\n";
}
