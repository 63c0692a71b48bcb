<?php

declare(strict_types=1);

namespace PushCrypt;

/**
 * Arithmetic on Ed25519 for public keys, because PHP's sodium extension can't check them. It isn't constant-time.
 *
 * A number modulo 2^255 - 19 is ten limbs of 26 bits, the lowest first, so that no product exceeds an integer of 64 bits.
 */
final class Edwards
{
    private const LIMBS = 10;
    private const BITS = 26;
    private const MASK = 0x3FFFFFF;
    private const PRIME = '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed';
    private const GROUP_SIZE = '1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed';
    private const D = '52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3';
    private const ROOT_OF_MINUS_1 = '2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0';
    /** (p - 5) / 8 */
    private const ROOT_EXPONENT = '0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd';

    /** Returns whether the key is canonical, on the curve, and a point of the main subgroup other than the neutral one. */
    public static function isVerificationKey(string $key): bool
    {
        if (strlen($key) !== 32) {
            return false;
        }
        $bytes = strrev($key);
        $bytes[0] = chr(ord($bytes[0]) & 0x7F);
        if (strcmp($bytes, hex2bin(self::PRIME)) >= 0) {
            return false;
        }
        [$y, $one, $zero] = [self::limbs(bin2hex($bytes)), self::limbs('1'), self::limbs('0')];
        $x = self::x($y);
        if ($x === null || self::isEqual($x, $zero)) {
            return false; // x = 0 belongs to the two points of order 1 and 2.
        }
        // The sign bit of the key doesn't matter: a point and its negative are in the same subgroups.
        $point = [$x, $y, $one, self::times($x, $y)];
        $result = [$zero, $one, $one, $zero];
        foreach (self::bits(self::GROUP_SIZE) as $bit) {
            $result = self::add($result, $result);
            $result = $bit ? self::add($result, $point) : $result;
        }
        return self::isEqual($result[1], $result[2]); // With y = 1, x is 0.
    }

    /** Returns one of the two x of a point of the curve, or null (RFC 8032 section 5.1.3). */
    private static function x(array $y): ?array
    {
        $one = self::limbs('1');
        $yy = self::times($y, $y);
        [$u, $v] = [self::minus($yy, $one), self::plus(self::times(self::limbs(self::D), $yy), $one)];
        $cube = self::times(self::times($v, $v), $v);
        $seventh = self::times(self::times($cube, $cube), $v);
        $x = self::times(self::times($u, $cube), self::power(self::times($u, $seventh), self::ROOT_EXPONENT));
        foreach ([$x, self::times($x, self::limbs(self::ROOT_OF_MINUS_1))] as $root) {
            if (self::isEqual(self::times($v, self::times($root, $root)), $u)) {
                return $root;
            }
        }
        return null;
    }

    /** Adds two points in extended coordinates (RFC 8032 section 5.1.4). */
    private static function add(array $p, array $q): array
    {
        $a = self::times(self::minus($p[1], $p[0]), self::minus($q[1], $q[0]));
        $b = self::times(self::plus($p[1], $p[0]), self::plus($q[1], $q[0]));
        $c = self::times(self::times($p[3], self::plus($q[3], $q[3])), self::limbs(self::D));
        $d = self::times($p[2], self::plus($q[2], $q[2]));
        [$e, $f, $g, $h] = [self::minus($b, $a), self::minus($d, $c), self::plus($d, $c), self::plus($b, $a)];
        return [self::times($e, $f), self::times($g, $h), self::times($f, $g), self::times($e, $h)];
    }

    private static function bits(string $hexadecimal): array
    {
        $bits = '';
        foreach (str_split($hexadecimal) as $digit) {
            $bits .= sprintf('%04b', hexdec($digit));
        }
        return array_map('intval', str_split($bits));
    }

    private static function power(array $base, string $exponent): array
    {
        $result = self::limbs('1');
        foreach (self::bits($exponent) as $bit) {
            $result = self::times($result, $result);
            $result = $bit ? self::times($result, $base) : $result;
        }
        return $result;
    }

    private static function limbs(string $hexadecimal): array
    {
        static $known = [];
        if (!isset($known[$hexadecimal])) {
            $bits = strrev(implode('', self::bits($hexadecimal)));
            $parts = str_split(str_pad($bits, self::LIMBS * self::BITS, '0'), self::BITS);
            $known[$hexadecimal] = array_map(fn ($part) => bindec(strrev($part)), $parts);
        }
        return $known[$hexadecimal];
    }

    /** Carries, so that each limb has about 26 bits. 2^260 is 608 modulo p. */
    private static function carried(array $limbs): array
    {
        for ($round = 0; $round < 2; $round++) {
            $carry = 0;
            foreach ($limbs as $at => $limb) {
                $limb += $carry;
                $limbs[$at] = $limb & self::MASK;
                $carry = $limb >> self::BITS; // It rounds down, also for negative limbs.
            }
            $limbs[0] += 608 * $carry;
        }
        return $limbs;
    }

    private static function plus(array $a, array $b): array
    {
        foreach ($b as $at => $limb) {
            $a[$at] += $limb;
        }
        return $a;
    }

    private static function minus(array $a, array $b): array
    {
        foreach ($b as $at => $limb) {
            $a[$at] -= $limb;
        }
        return $a;
    }

    /** Multiplies limbs of at most 28 bits with a sign. */
    private static function times(array $a, array $b): array
    {
        $product = array_fill(0, 2 * self::LIMBS, 0);
        foreach ($a as $i => $left) {
            foreach ($b as $j => $right) {
                $product[$i + $j] += $left * $right;
            }
        }
        $carry = 0;
        foreach ($product as $at => $limb) {
            $limb += $carry;
            $product[$at] = $limb & self::MASK;
            $carry = $limb >> self::BITS;
        }
        $result = [];
        for ($at = 0; $at < self::LIMBS; $at++) {
            $result[] = $product[$at] + 608 * $product[$at + self::LIMBS];
        }
        // The carry of the last limb is 2^520 = 608^2 modulo p.
        $result[0] += 608 * 608 * $carry;
        return self::carried($result);
    }

    /** Returns the limbs of the number from 0 to p - 1. */
    private static function reduced(array $limbs): array
    {
        $limbs = self::carried($limbs);
        for ($round = 0; $round < 2; $round++) {
            // The bits from 255 on are the top 21 bits of the last limb.
            $high = $limbs[self::LIMBS - 1] >> 21;
            $limbs[self::LIMBS - 1] &= 0x1FFFFF;
            $limbs[0] += 19 * $high;
            $limbs = self::carried($limbs);
        }
        $difference = self::minus($limbs, self::limbs(self::PRIME));
        $carry = 0;
        foreach ($difference as $at => $limb) {
            $limb += $carry;
            $difference[$at] = $limb & self::MASK;
            $carry = $limb >> self::BITS;
        }
        return $carry < 0 ? $limbs : $difference;
    }

    private static function isEqual(array $a, array $b): bool
    {
        return self::reduced($a) === self::reduced($b);
    }
}
