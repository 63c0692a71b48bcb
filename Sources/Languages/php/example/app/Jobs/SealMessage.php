<?php

declare(strict_types=1);

namespace App\Jobs;

use App\Models\User;
use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Queue\SerializesModels;
use Illuminate\Support\Facades\Log;
use PushCrypt\{Push, PushCryptException, Row, Sealer, SigningKeyring};

/** Seals a message for the devices of its user. */
class SealMessage implements ShouldQueue
{
    use Dispatchable;
    use Queueable;
    use SerializesModels;

    public function __construct(private User $user, private string $payload)
    {
    }

    public function handle(): void
    {
        $sealer = Sealer::signed(SigningKeyring::read(config('app.keyring')));
        foreach ($this->user->devices as $device) {
            try {
                $row = Row::parse($device->row);
                $this->send($device->token, $sealer->seal($this->payload, $row, topic: config('app.topic')));
            } catch (PushCryptException $error) { // Never send the payload itself.
                Log::error("device $device->id: {$error->getMessage()}");
            }
        }
    }

    /** Replace this by your client of APNs, which posts the payload with the headers to /3/device/TOKEN. */
    private function send(string $token, Push $push): void
    {
        echo json_encode(['token' => $token, 'payload' => $push->payload, 'headers' => $push->headers]), "\n";
    }
}
