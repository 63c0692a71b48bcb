<?php

declare(strict_types=1);

namespace PushCrypt;

/** A violation of strict JSON. The message names the byte offset, never the content. */
final class JsonSyntaxException extends \Exception
{
}

/** A JSON value with its bytes. */
final class Node
{
    /**
     * @param string $type object, array, string, number, or literal
     * @param mixed $value nodes by name, a list of nodes, the text, the digits, or true, false or null
     * @param string $source the bytes of the value, as they arrived
     */
    public function __construct(
        public readonly string $type,
        public readonly mixed $value,
        public readonly string $source,
    ) {
    }

    /** Returns the member of an object, or null. */
    public function get(string $name): ?Node
    {
        return $this->type === 'object' ? $this->value[$name] ?? null : null;
    }

    /** Returns the text, or null if the value isn't a string. */
    public function text(): ?string
    {
        return $this->type === 'string' ? $this->value : null;
    }

    /** Returns the integer, or null if the value isn't digits alone, or outside of the limits. */
    public function integer(int $low, int $high): ?int
    {
        if ($this->type !== 'number' || !ctype_digit($this->value) || strlen($this->value) > 18) {
            return null;
        }
        $number = (int) $this->value;
        return $number >= $low && $number <= $high ? $number : null;
    }

    /** Returns a Boolean value that indicates whether the value is null. */
    public function isNull(): bool
    {
        return $this->type === 'literal' && $this->value === null;
    }

    /** Returns the bytes without white space between tokens. */
    public function compact(): string
    {
        $text = preg_replace('/"(?:[^"\\\\]++|\\\\.)*+"(*SKIP)(*FAIL)|[ \t\n\r]++/s', '', $this->source);
        return $text ?? throw new \RuntimeException('PCRE failed. Increase pcre.backtrack_limit.');
    }
}

/** Strict JSON: RFC 8259 with one object at the top, without duplicate names, at most 64 levels deep. */
final class StrictJson
{
    private const MAXIMUM_DEPTH = 64;

    private const NUMBER = '/-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?/A';
    /** A surrogate is valid only as half of a pair. */
    private const STRING = '/"(?:[^"\\\\\x00-\x1f]++|\\\\["\\\\\/bfnrt]|\\\\u(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}'
        . '|[dD][0-7][0-9a-fA-F]{2}|[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}))*+"/A';

    private int $at = 0;

    private function __construct(private readonly string $data)
    {
    }

    /** Returns the node of the object that the bytes contain. */
    public static function parse(string $data): Node
    {
        if (preg_match('//u', $data) !== 1) {
            throw new JsonSyntaxException("The JSON isn't UTF-8. Encode it as UTF-8.");
        }
        $parser = new self($data);
        if ($parser->next() !== '{') {
            throw $parser->failure('has no object', 'Use one object without a byte order mark');
        }
        $node = $parser->value(self::MAXIMUM_DEPTH);
        if ($parser->next() !== '') {
            throw $parser->failure('has more than one object', 'Remove the rest');
        }
        return $node;
    }

    /** Returns the JSON of a text or an array. */
    public static function encode(mixed $value): string
    {
        return json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS
            | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR);
    }

    private function failure(string $problem, string $action): JsonSyntaxException
    {
        return new JsonSyntaxException("The JSON $problem at byte {$this->at}. $action.");
    }

    /** Skips white space. Returns the next byte, or nothing at the end. */
    private function next(): string
    {
        $this->at += strspn($this->data, " \t\n\r", $this->at);
        return $this->data[$this->at] ?? '';
    }

    private function value(int $levels): Node
    {
        $start = $this->at;
        $first = $this->next();
        [$type, $value] = match ($first) {
            '{', '[' => $this->container($first, $levels),
            '"' => ['string', $this->string()],
            default => $this->scalar(),
        };
        return new Node($type, $value, substr($this->data, $start, $this->at - $start));
    }

    private function scalar(): array
    {
        foreach (['true' => true, 'false' => false, 'null' => null] as $word => $value) {
            if (substr_compare($this->data, $word, $this->at, strlen($word)) === 0) {
                $this->at += strlen($word);
                return ['literal', $value];
            }
        }
        if (preg_match(self::NUMBER, $this->data, $match, 0, $this->at) !== 1) {
            throw $this->failure('has no valid value', 'Correct the value');
        }
        $this->at += strlen($match[0]);
        return ['number', $match[0]];
    }

    private function string(): string
    {
        if (preg_match(self::STRING, $this->data, $match, 0, $this->at) !== 1) {
            throw $this->failure('has no valid string', 'Correct the string');
        }
        $this->at += strlen($match[0]);
        return json_decode($match[0], false, 1, JSON_THROW_ON_ERROR);
    }

    private function container(string $opening, int $levels): array
    {
        if ($levels === 0) {
            throw $this->failure('has too many levels', 'Use fewer levels');
        }
        $isObject = $opening === '{';
        $closing = $isObject ? '}' : ']';
        $children = [];
        $this->at++;
        if ($this->next() === $closing) {
            $this->at++;
            return [$isObject ? 'object' : 'array', $children];
        }
        while (true) {
            $start = $this->at;
            if ($isObject) {
                $name = $this->string();
                if (array_key_exists($name, $children)) {
                    $this->at = $start;
                    throw $this->failure('has a duplicate name', 'Use each name once');
                }
                if ($this->next() !== ':') {
                    throw $this->failure('has no colon', 'Add a colon');
                }
                $this->at++;
                $this->next();
                $children[$name] = $this->value($levels - 1);
            } else {
                $children[] = $this->value($levels - 1);
            }
            $character = $this->next();
            if ($character !== $closing && $character !== ',') {
                throw $this->failure('has no comma or end', 'Correct the object or array');
            }
            $this->at++;
            if ($character === $closing) {
                return [$isObject ? 'object' : 'array', $children];
            }
            $this->next();
        }
    }
}
