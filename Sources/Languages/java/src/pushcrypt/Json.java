package pushcrypt;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A value of strict JSON, with its bytes as they arrived. */
public final class Json {
    private static final int MAXIMUM_DEPTH = 64;
    private static final Json MISSING = new Json();

    /** A member of an object. */
    public static final class Member {
        private final String name;
        private final String rawName;
        private final Json value;
        private final byte[] raw;

        Member(String name, String rawName, Json value, byte[] raw) {
            this.name = name;
            this.rawName = rawName;
            this.value = value;
            this.raw = raw;
        }

        /** Returns the name, with escapes resolved. */
        public String name() {
            return name;
        }

        /** Returns the name as it arrived, with quotation marks. */
        public String rawName() {
            return rawName;
        }

        /** Returns the value. */
        public Json value() {
            return value;
        }

        /** Returns the bytes from the name to the end of the value as text. */
        String rawText() {
            return new String(raw, StandardCharsets.UTF_8);
        }
    }

    /** The first byte of the value, '0' for every number, or zero for a missing value. */
    char kind;
    /** The text of a string, with escapes resolved, otherwise empty. */
    String text = "";
    byte[] raw = {};
    final List<Member> members = new ArrayList<>();
    final List<Json> items = new ArrayList<>();

    Json() {}

    /** Returns the member's value. Its kind is zero if the member is missing. */
    public Json get(String name) {
        for (Member member : members) {
            if (member.name.equals(name)) {
                return member.value;
            }
        }
        return MISSING;
    }

    /** Returns the members of an object, in order. Other values have none. */
    public List<Member> members() {
        return Collections.unmodifiableList(members);
    }

    /** Returns the values of an array, in order. Other values have none. */
    public List<Json> items() {
        return Collections.unmodifiableList(items);
    }

    /** Returns the text of a string, with escapes resolved, or null for another value. */
    public String string() {
        return kind == '"' ? text : null;
    }

    /** Returns whether the value is an object. */
    public boolean isObject() {
        return kind == '{';
    }

    /** Returns whether the value is an array. */
    public boolean isArray() {
        return kind == '[';
    }

    /** Returns whether the value is true. */
    public boolean isTrue() {
        return kind == 't';
    }

    /** Returns whether the value is missing. */
    public boolean isMissing() {
        return kind == 0;
    }

    /** Returns whether the value is a number that is written with digits only, in a range of at most 18 digits. */
    public boolean isInteger(long minimum, long maximum) {
        String digits = rawText();
        return digits.matches("[0-9]{1,18}") && Long.parseLong(digits) >= minimum && Long.parseLong(digits) <= maximum;
    }

    boolean isContainer() {
        return kind == '{' || kind == '[';
    }

    /** Returns the value's bytes as text. */
    public String rawText() {
        return new String(raw, StandardCharsets.UTF_8);
    }

    /** Parses one strict JSON object. The error is malformed-json. */
    public static Json parse(byte[] data) throws PushCryptException {
        return parse(data, "malformed-json", MAXIMUM_DEPTH);
    }

    /** Parses an object with payloads in it, which can have one more level. */
    static Json parseLine(byte[] data) throws PushCryptException {
        return parse(data, "malformed-json", MAXIMUM_DEPTH + 1);
    }

    /** Parses one strict JSON object. The error has the code. */
    public static Json parse(byte[] data, String code) throws PushCryptException {
        return parse(data, code, MAXIMUM_DEPTH);
    }

    private static Json parse(byte[] data, String code, int levels) throws PushCryptException {
        try {
            return new JsonScanner(data, levels).object();
        } catch (JsonScanner.SyntaxException problem) {
            throw new PushCryptException(code, problem.getMessage());
        }
    }

    static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    /** Returns the value without the white space between tokens. */
    byte[] compact() {
        ByteArrayOutputStream result = new ByteArrayOutputStream(raw.length);
        boolean quoted = false;
        for (int at = 0; at < raw.length; at++) {
            if (quoted && raw[at] == '\\') {
                result.write(raw[at++]);
            } else if (raw[at] == '"') {
                quoted = !quoted;
            } else if (!quoted && isSpace(raw[at])) {
                continue;
            }
            result.write(raw[at]);
        }
        return result.toByteArray();
    }

    /** Returns the text as a JSON string. */
    public static String quote(String text) {
        StringBuilder result = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            int at = "\"\\\b\f\n\r\t".indexOf(c);
            if (at >= 0) {
                result.append('\\').append("\"\\bfnrt".charAt(at));
            } else if (c < 0x20) {
                result.append(String.format("\\u%04x", (int) c));
            } else {
                result.append(c);
            }
        }
        return result.append('"').toString();
    }
}
