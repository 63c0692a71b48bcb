<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Jobs\SealMessage;
use Illuminate\Http\Request;
use Illuminate\Http\Response;

class MessageController
{
    public function store(Request $request): Response
    {
        SealMessage::dispatch($request->user(), $request->getContent());
        return response('', 202);
    }
}
