<?php

declare(strict_types=1);

namespace App\Http;

class Kernel extends \Illuminate\Foundation\Http\Kernel
{
    protected $routeMiddleware = ['auth' => \Illuminate\Auth\Middleware\Authenticate::class];
}
