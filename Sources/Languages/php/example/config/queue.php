<?php

declare(strict_types=1);

return [
    'default' => 'database',
    'connections' => ['database' => ['driver' => 'database', 'table' => 'jobs', 'queue' => 'default', 'retry_after' => 90]],
    'failed' => ['driver' => 'null'],
];
