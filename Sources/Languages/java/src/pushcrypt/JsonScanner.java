package pushcrypt;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The parser of strict JSON. */
final class JsonScanner {
    static final class SyntaxException extends RuntimeException {
        private static final long serialVersionUID = 1;

        SyntaxException(int at, String text) {
            super("At byte " + at + ", " + text + ". Give one strict JSON object.", null, false, false);
        }
    }

    private final byte[] data;
    private final int levels;
    private int at;

    JsonScanner(byte[] data, int levels) {
        this.data = data;
        this.levels = levels;
    }

    Json object() {
        ByteBuffer bytes = ByteBuffer.wrap(data);
        // A new decoder reports invalid bytes, encoded surrogates included.
        CoderResult result =
            StandardCharsets.UTF_8.newDecoder().decode(bytes, CharBuffer.allocate(data.length + 1), true);
        if (!result.isUnderflow()) {
            throw new SyntaxException(bytes.position(), "the text isn't UTF-8");
        }
        skipSpace();
        Json value = value(1);
        skipSpace();
        if (value.kind != '{' || at < data.length) {
            throw stop("the value isn't an object, or it isn't the end");
        }
        return value;
    }

    private SyntaxException stop(String text) {
        return new SyntaxException(at, text);
    }

    /** Returns zero at the end, which no rule of the grammar accepts. */
    private char peek() {
        return at < data.length ? (char) (data[at] & 0xff) : 0;
    }

    private void skipSpace() {
        while (Json.isSpace(peek())) {
            at++;
        }
    }

    private void expect(String text) {
        for (char c : text.toCharArray()) {
            if (peek() != c) {
                throw stop("a character isn't valid");
            }
            at++;
        }
    }

    private Json value(int depth) {
        int start = at;
        Json value = new Json();
        value.kind = peek();
        switch (value.kind) {
            case '{':
            case '[':
                if (depth > levels) {
                    throw stop("the nesting is too deep");
                }
                container(value, depth);
                break;
            case '"':
                value.text = string();
                break;
            case 't':
                expect("true");
                break;
            case 'f':
                expect("false");
                break;
            case 'n':
                expect("null");
                break;
            default:
                value.kind = '0';
                number();
        }
        value.raw = Arrays.copyOfRange(data, start, at);
        return value;
    }

    private void container(Json value, int depth) {
        char closing = (char) (value.kind + 2);
        Set<String> names = new HashSet<>();
        at++;
        skipSpace();
        boolean isEmpty = peek() == closing;
        while (!isEmpty) {
            skipSpace();
            if (value.kind == '[') {
                value.items.add(value(depth + 1));
            } else {
                int start = at;
                String name = string();
                String rawName = new String(data, start, at - start, StandardCharsets.UTF_8);
                if (!names.add(name)) {
                    throw stop("a name occurs twice in one object");
                }
                skipSpace();
                expect(":");
                skipSpace();
                Json member = value(depth + 1);
                value.members.add(new Json.Member(name, rawName, member, Arrays.copyOfRange(data, start, at)));
            }
            skipSpace();
            if (peek() == closing) {
                break;
            }
            expect(",");
        }
        at++;
    }

    private void digits() {
        if (peek() < '0' || peek() > '9') {
            throw stop("a character isn't valid");
        }
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
    }

    private void number() {
        at += peek() == '-' ? 1 : 0;
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            at += peek() == '+' || peek() == '-' ? 1 : 0;
            digits();
        }
    }

    private String string() {
        expect("\"");
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        while (peek() != '"') {
            if (peek() < 0x20) {
                throw stop("a string has a control character or no end");
            } else if (peek() == '\\') {
                byte[] escaped = escape().getBytes(StandardCharsets.UTF_8);
                text.write(escaped, 0, escaped.length);
            } else {
                text.write(data[at++]);
            }
        }
        at++;
        return new String(text.toByteArray(), StandardCharsets.UTF_8);
    }

    private String escape() {
        at++;
        char c = peek();
        int index = "\"\\/bfnrt".indexOf(c);
        if (index >= 0) {
            at++;
            return "\"\\/\b\f\n\r\t".substring(index, index + 1);
        }
        char unit = unit();
        if (!Character.isSurrogate(unit)) {
            return String.valueOf(unit);
        }
        expect("\\");
        char second = unit();
        if (!Character.isSurrogatePair(unit, second)) {
            throw stop("a surrogate is alone");
        }
        return String.valueOf(new char[] {unit, second});
    }

    private char unit() {
        expect("u");
        int unit = 0;
        for (int index = 0; index < 4; index++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0 || peek() > 0x7f) {
                throw stop("an escape isn't valid");
            }
            unit = unit * 16 + digit;
            at++;
        }
        return (char) unit;
    }
}
