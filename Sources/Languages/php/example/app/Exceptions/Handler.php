<?php

declare(strict_types=1);

namespace App\Exceptions;

use Illuminate\Auth\AuthenticationException;
use PushCrypt\PushCryptException;

class Handler extends \Illuminate\Foundation\Exceptions\Handler
{
    protected $dontReport = [PushCryptException::class];

    public function register(): void
    {
        $this->renderable(fn (PushCryptException $error) => $error->errorCode === 'stale-generation'
            ? response()->json(['generation' => $error->generation], 409)
            : response()->json(['code' => $error->errorCode], 400));
        $this->renderable(fn (AuthenticationException $error) => response('', 401));
    }
}
