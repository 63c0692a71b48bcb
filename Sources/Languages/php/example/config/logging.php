<?php

declare(strict_types=1);

return [
    'default' => 'stderr',
    'channels' => [
        'stderr' => ['driver' => 'errorlog', 'level' => 'warning'],
        'null' => ['driver' => 'monolog', 'handler' => Monolog\Handler\NullHandler::class],
    ],
];
