<?php

declare(strict_types=1);

namespace PushCrypt;

/** The version of the package. */
const VERSION = '0.1.0';
