<?php

declare(strict_types=1);

namespace App\Models;

use Illuminate\Database\Eloquent\Relations\HasMany;
use PushCrypt\{Registration, Row};

/** A user with an access token, of which the database has the hash only. */
class User extends \Illuminate\Foundation\Auth\User
{
    public $timestamps = false;
    protected $fillable = ['name', 'api_token'];

    public function devices(): HasMany
    {
        return $this->hasMany(Device::class);
    }

    /** Stores the row of a registration, or throws an exception and keeps the known one. */
    public function register(string $registration, string $token): Row
    {
        $token = Registration::deviceToken($token);
        return $this->getConnection()->transaction(function () use ($registration, $token): Row {
            static::query()->lockForUpdate()->find($this->id); // Requests of one account wait for each other.
            $rows = $this->devices()->pluck('row', 'token')->map(fn (string $text) => Row::parse($text))->all();
            $known = $rows[$token] ?? null;
            unset($rows[$token]);
            $row = Row::accept($registration, $token, $this->name, $known, array_values($rows));
            $this->devices()->updateOrCreate(['token' => $row->deviceToken], ['row' => $row->json()]);
            return $row;
        });
    }
}
