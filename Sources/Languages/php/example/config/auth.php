<?php

declare(strict_types=1);

return [
    'defaults' => ['guard' => 'api'],
    'guards' => ['api' => ['driver' => 'token', 'provider' => 'users', 'hash' => true]],
    'providers' => ['users' => ['driver' => 'eloquent', 'model' => App\Models\User::class]],
];
