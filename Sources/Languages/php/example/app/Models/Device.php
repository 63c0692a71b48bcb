<?php

declare(strict_types=1);

namespace App\Models;

/** The row of a device token and account, as text. */
class Device extends \Illuminate\Database\Eloquent\Model
{
    public $timestamps = false;
    protected $fillable = ['token', 'row'];
}
