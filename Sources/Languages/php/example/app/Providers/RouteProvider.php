<?php

declare(strict_types=1);

namespace App\Providers;

class RouteProvider extends \Illuminate\Foundation\Support\Providers\RouteServiceProvider
{
    public function map(): void
    {
        require base_path('routes/api.php');
    }
}
