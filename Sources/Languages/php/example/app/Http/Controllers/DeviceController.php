<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;

class DeviceController
{
    /** The body is {"registration": "…", "token": "…"}. The registration stays text. */
    public function store(Request $request): JsonResponse
    {
        $body = json_decode($request->getContent(), true);
        $text = $body['registration'] ?? null;
        $token = $body['token'] ?? null;
        if (!is_string($text) || !is_string($token)) {
            return response()->json(['code' => 'malformed-registration'], 400);
        }
        $row = $request->user()->register($text, $token);
        return response()->json(['lists' => [], 'token' => $row->deviceToken]);
    }
}
