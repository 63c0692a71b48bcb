package pushcrypt.receiver;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import pushcrypt.Crypto;
import pushcrypt.PushCryptException;

/** The state of all messages as bytes: a mark, the SHA-256 hash of the rest, and the rest. */
final class MessageStateText {
    private static final byte[] MARK = "PCMSG\u0002\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int START = MARK.length + 32;

    private MessageStateText() { }

    static byte[] write(MessageState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream output = new DataOutputStream(bytes)) {
            output.writeUTF(state.epoch);
            output.writeLong(state.start);
            output.write(state.ledger.key);
            output.writeInt(state.memories.size());
            for (Map.Entry<String, ReplayMemory> memory : state.memories.entrySet()) {
                output.writeUTF(memory.getKey());
                writeMemory(memory.getValue(), output);
            }
            output.writeInt(state.ledger.entries.size());
            for (Ledger.Entry entry : state.ledger.entries) {
                writeEntry(entry, output);
            }
            writeTexts(state, output);
        } catch (IOException problem) {
            throw new IllegalStateException(problem); // Memory has no such errors.
        }
        byte[] rest = bytes.toByteArray();
        byte[] result = Arrays.copyOf(MARK, START + rest.length);
        System.arraycopy(Crypto.sha256(rest), 0, result, MARK.length, 32);
        System.arraycopy(rest, 0, result, START, rest.length);
        return result;
    }

    private static void writeMemory(ReplayMemory memory, DataOutputStream output) throws IOException {
        output.writeLong(memory.forgottenIssued);
        output.writeLong(memory.forgottenExpiration);
        output.writeInt(memory.entries.size());
        for (ReplayMemory.Entry entry : memory.entries) {
            output.write(entry.id);
            output.writeLong(entry.issued);
            output.writeLong(entry.expiration);
            output.writeLong(entry.admitted);
            output.writeUTF(entry.tag);
            output.writeBoolean(entry.isDone);
        }
    }

    private static void writeEntry(Ledger.Entry entry, DataOutputStream output) throws IOException {
        output.writeByte(entry.state.ordinal());
        for (String name : entry.names()) {
            output.writeUTF(name);
        }
        output.writeLong(entry.issued);
        output.writeLong(entry.time);
        output.writeLong(entry.end);
    }

    private static void writeTexts(MessageState state, DataOutputStream output) throws IOException {
        output.writeInt(state.waiting.size());
        for (MessageState.Waiting each : state.waiting) {
            output.writeUTF(each.text);
            output.writeUTF(each.collapseId);
            output.writeLong(each.arrival);
            output.writeBoolean(each.hasFallback);
        }
        output.writeInt(state.challenges.size());
        for (MessageState.Challenge each : state.challenges) {
            output.writeUTF(each.text);
            output.writeLong(each.time);
        }
        output.writeInt(state.removedKeys.size());
        for (Map.Entry<String, Long> each : state.removedKeys.entrySet()) {
            output.writeUTF(each.getKey());
            output.writeLong(each.getValue());
        }
    }

    /** Returns whether bytes look like a damaged state. Contents of another kind must not be overwritten. */
    static boolean isLikeState(byte[] bytes) {
        int wrong = 0;
        for (int at = 0; at < MARK.length; at++) {
            // A loss of power can leave zeros.
            wrong += at < bytes.length && bytes[at] != MARK[at] && bytes[at] != 0 ? 1 : 0;
        }
        return 4 * wrong <= MARK.length;
    }

    /** Returns the state, or null if the bytes are damaged. */
    static MessageState read(byte[] bytes) throws PushCryptException {
        if (bytes.length < START || !Arrays.equals(Arrays.copyOf(bytes, MARK.length), MARK)) {
            return null;
        }
        byte[] rest = Arrays.copyOfRange(bytes, START, bytes.length);
        if (!Arrays.equals(Crypto.sha256(rest), Arrays.copyOfRange(bytes, MARK.length, START))) {
            return null;
        }
        try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(rest))) {
            return read(input);
        } catch (IOException problem) {
            return null;
        }
    }

    private static MessageState read(DataInputStream input) throws IOException {
        String epoch = input.readUTF();
        long start = input.readLong();
        MessageState state = new MessageState(new Ledger(bytes(input, 32)));
        state.epoch = epoch;
        state.start = start;
        for (int count = input.readInt(); count > 0; count--) {
            readMemory(state.memory(input.readUTF()), input);
        }
        for (int count = input.readInt(); count > 0; count--) {
            state.ledger.entries.add(readEntry(input));
        }
        readTexts(state, input);
        return state;
    }

    private static Ledger.Entry readEntry(DataInputStream input) throws IOException {
        Ledger.State state = Ledger.State.values()[input.readUnsignedByte()];
        String[] names = new String[5];
        for (int at = 0; at < names.length; at++) {
            names[at] = input.readUTF();
        }
        return new Ledger.Entry(state, names, input.readLong(), input.readLong(), input.readLong());
    }

    private static void readMemory(ReplayMemory memory, DataInputStream input) throws IOException {
        memory.forgottenIssued = input.readLong();
        memory.forgottenExpiration = input.readLong();
        for (int count = input.readInt(); count > 0; count--) {
            byte[] id = bytes(input, 16);
            ReplayMemory.Entry entry =
                new ReplayMemory.Entry(id, input.readLong(), input.readLong(), input.readLong(), input.readUTF());
            entry.isDone = input.readBoolean();
            memory.entries.add(entry);
        }
    }

    private static void readTexts(MessageState state, DataInputStream input) throws IOException {
        for (int count = input.readInt(); count > 0; count--) {
            MessageState.Waiting each = new MessageState.Waiting(input.readUTF(), input.readUTF(), input.readLong());
            each.hasFallback = input.readBoolean();
            state.waiting.add(each);
        }
        for (int count = input.readInt(); count > 0; count--) {
            state.challenges.add(new MessageState.Challenge(input.readUTF(), input.readLong()));
        }
        for (int count = input.readInt(); count > 0; count--) {
            state.removedKeys.put(input.readUTF(), input.readLong());
        }
    }

    private static byte[] bytes(DataInputStream input, int length) throws IOException {
        byte[] bytes = new byte[length];
        input.readFully(bytes);
        return bytes;
    }
}
