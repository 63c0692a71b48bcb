<?php

declare(strict_types=1);

use App\Models\User;
use Illuminate\Support\Facades\Artisan;

Artisan::command('user:add {name} {token}', function (string $name, string $token): void {
    User::create(['name' => $name, 'api_token' => hash('sha256', $token)]);
})->describe('Adds a user with an access token');
