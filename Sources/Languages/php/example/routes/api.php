<?php

declare(strict_types=1);

use App\Http\Controllers\{DeviceController, MessageController};
use Illuminate\Support\Facades\Route;

Route::middleware('auth:api')->group(function (): void {
    Route::post('devices', [DeviceController::class, 'store']);
    Route::post('messages', [MessageController::class, 'store']);
});
