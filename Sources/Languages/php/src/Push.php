<?php

declare(strict_types=1);

namespace PushCrypt;

/** A sealed payload, the headers of the request to APNs, the carrier, and the time of issue in milliseconds. */
final class Push
{
    public function __construct(
        public readonly string $payload,
        public readonly array $headers,
        public readonly string $carrier = 'apns',
        public readonly int $issuedAt = 0,
    ) {
    }

    /**
     * Returns the request that hands the push to its carrier. The URL and your credentials aren't part of it.
     *
     * @param string $token the carrier's token of the device; for APNs, it is in the URL
     * @param ?string $appId the app's id, which only OneSignal requires
     */
    public function request(string $token, ?string $appId = null): CarrierRequest
    {
        return (new CarrierContent($this))->request($token, $appId);
    }
}

/** The request to a carrier: its body, and its headers. */
final class CarrierRequest
{
    public function __construct(public readonly string $body, public readonly array $headers)
    {
    }
}
