package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import pushcrypt.PushCryptException;
import pushcrypt.SignerRoots;

/**
 * The keys of a device for one account: the primary key, pending and retired keys. Times are seconds since
 * 1970-01-01 UTC. Each change of the keys raises the generation.
 */
final class Keyring implements AutoCloseable {
    static final long MAXIMUM_INTEGER = (1L << 53) - 1;
    private static final long MAXIMUM_GROWTH = 1L << 32;
    private static final long MAXIMUM_STEP = 24 * 3600;
    /** The number of retired keys that a replacement of the keys keeps. */
    private static final int MAXIMUM_RETIRED = 64;

    /** A member of the stored text that this version doesn't know, or null. The keyring isn't written then. */
    String unknown;
    long generation = 1;
    DeviceKey primary;
    /** The newest last. */
    final List<DeviceKey> pending = new ArrayList<>();
    /** The newest first. */
    final List<DeviceKey> retired = new ArrayList<>();
    /** The device's clock at the last observation; negative without one. */
    long clock = -1;
    /** The estimated time at the last observation. */
    long estimate = -1;
    /**
     * The device's own count of the time, which no answer moves: a server whose date stands still or goes back keeps no
     * key alive.
     */
    long count = -1;
    String owner;
    /** The stored lists of accepted keys. */
    List<String> lists = new ArrayList<>();
    /** The thumbprints of the accepted keys that the device registers, or null. */
    List<String> signers;

    private final KeySource source;

    Keyring(KeySource source) {
        this.source = source;
    }

    /** Creates the keyring of an installation with one new key. */
    static Keyring create(KeySource source, long now, String owner, long lifetime) throws PushCryptException {
        Keyring ring = new Keyring(source);
        ring.primary = ring.newKey(now, lifetime);
        ring.begin(now, now);
        ring.owner = owner;
        return ring;
    }

    /** Returns all keys. */
    List<DeviceKey> keys() {
        List<DeviceKey> keys = new ArrayList<>();
        keys.add(primary);
        keys.addAll(pending);
        keys.addAll(retired);
        return keys;
    }

    /** Returns the key to register: the pending one, or the primary one. */
    DeviceKey registered() {
        return pending.isEmpty() ? primary : pending.get(pending.size() - 1);
    }

    /** Overwrites the secret keys. */
    @Override
    public void close() {
        for (DeviceKey key : keys()) {
            key.wipe();
        }
    }

    // The elapsed time

    /**
     * Updates the estimate of the elapsed time and the count, which grow by at most 24 hours without an answer, and
     * returns the estimate.
     *
     * @param answer the date of a server's answer, or null
     */
    long observe(long now, Long answer) {
        if (clock < 0) {
            begin(now, lastChange());
        }
        for (DeviceKey key : keys()) {
            key.mark(count, estimate);
        }
        long step = Math.min(Math.max(now - clock, 0), MAXIMUM_STEP);
        long counted = estimate + step;
        count += step;
        estimate = answer == null ? counted : Math.min(Math.max(answer, 0), MAXIMUM_INTEGER);
        clock = now;
        // A key from the future, by a clock that was ahead, would never become old.
        primary.created = Math.min(primary.created, estimate);
        if (estimate != counted) {
            for (DeviceKey key : retired) {
                correct(key, estimate - counted);
            }
        }
        return estimate;
    }

    private void begin(long now, long date) {
        clock = now;
        estimate = date;
        count = date;
    }

    /** Shifts the date of a retirement by the time that the clock has missed. */
    private void correct(DeviceKey key, long missed) {
        if (!key.isDateKnown) {
            key.retired = Math.max(key.retired + missed, 0);
        }
        if (key.retired > estimate + DeviceKey.CLOCK_TOLERANCE) {
            key.retired = estimate;
            key.isDateKnown = false;
        }
    }

    /** Returns the age of the primary key in seconds. */
    long primaryAge() {
        return primary.elapsed(count, estimate);
    }

    private long lastChange() {
        long last = primary.created;
        for (DeviceKey key : keys()) {
            last = Math.max(last, Math.max(key.created, key.retired));
        }
        return last;
    }

    // The life of a key

    /** Creates a pending key. */
    void addPending(long date, long lifetime) throws PushCryptException {
        DeviceKey fresh = newKey(date, lifetime);
        raiseGeneration();
        pending.add(fresh);
    }

    private DeviceKey newKey(long date, long lifetime) throws PushCryptException {
        return DeviceKey.create(source.secretKey(), date, lifetime);
    }

    /**
     * Records a server's answer, and makes the key that it confirms the primary one. The old key still opens messages.
     *
     * @param answer the date of the answer, or null
     */
    void confirm(String kid, long now, Long answer) throws PushCryptException {
        DeviceKey confirmed = find(kid);
        boolean isPending = pending.contains(confirmed);
        if (!isPending && answer == null) {
            return;
        }
        long before = clock < 0 ? lastChange() : estimate;
        long date = observe(now, answer);
        if (isPending) {
            raiseGeneration();
            pending.remove(confirmed);
            // A date that is too old would have the next correct date destroy the key too early.
            boolean isKnown = answer != null && answer >= before - DeviceKey.CLOCK_TOLERANCE;
            retired.add(0, primary.retire(date, isKnown));
            primary = confirmed;
        }
    }

    private DeviceKey find(String kid) throws PushCryptException {
        for (DeviceKey key : keys()) {
            if (key.kid.equals(kid)) {
                return key;
            }
        }
        throw new PushCryptException("unknown-key", "The registered key was deleted. Register the device again.");
    }

    /** Follows the generation that the server knows. If it isn't lower, the keys may be from an old backup. */
    void followGeneration(long known, long now, long lifetime) throws PushCryptException {
        if (known < 0 || known >= MAXIMUM_INTEGER + 1 - 2 * MAXIMUM_GROWTH) {
            throw new PushCryptException(
                "malformed-registration", "The server's generation is too large. Reset the device on the server.");
        }
        if (known >= generation) {
            renew(now, lifetime);
            generation = known + 1;
        } else if (generation - known > MAXIMUM_GROWTH) {
            generation = known + 1;
        }
    }

    /** Replaces the pending keys with a new pending key. */
    void renew(long now, long lifetime) throws PushCryptException {
        long date = observe(now, null);
        for (DeviceKey key : pending) {
            raiseGeneration();
            retired.add(0, key.retire(date, false));
        }
        pending.clear();
        while (retired.size() > MAXIMUM_RETIRED) {
            retired.remove(retired.size() - 1).wipe();
        }
        addPending(date, lifetime);
    }

    /**
     * Moves the keyring to another device: creates a primary key, and retires all others, which still open
     * messages.
     */
    void reset(String newOwner, long now, long lifetime) throws PushCryptException {
        DeviceKey fresh = newKey(now, lifetime);
        List<DeviceKey> old = new ArrayList<>();
        for (DeviceKey key : keys()) {
            old.add(key.retire(now, false));
        }
        pending.clear();
        retired.clear();
        retired.addAll(old);
        primary = fresh;
        generation = Math.min(generation + 1, MAXIMUM_INTEGER);
        begin(now, now);
        owner = newOwner;
    }

    /** Destroys the keys that have expired by the elapsed time. */
    void prune() throws PushCryptException {
        boolean isChanged = false;
        for (Iterator<DeviceKey> keys = retired.iterator(); keys.hasNext();) {
            DeviceKey key = keys.next();
            if (key.elapsed(count, estimate) >= key.lifetime + DeviceKey.CLOCK_TOLERANCE) {
                key.wipe();
                keys.remove();
                isChanged = true;
            }
        }
        if (isChanged) {
            raiseGeneration();
        }
    }

    // The owner and the signers

    void setOwner(String newOwner) throws PushCryptException {
        raiseGeneration();
        owner = newOwner;
    }

    /** Sets the accepted keys that the device registers, in a new generation if they change. */
    void setSigners(List<String> kids) throws PushCryptException {
        if (!Objects.equals(kids, signers)) {
            raiseGeneration();
            signers = kids;
        }
    }

    /** Stores a list of accepted keys. */
    void addList(String text, SignerRoots roots, long date) throws PushCryptException {
        lists = new ArrayList<>(roots.storedWith(text, lists, date * 1000));
    }

    private void raiseGeneration() throws PushCryptException {
        if (generation >= MAXIMUM_INTEGER) {
            throw new PushCryptException(
                "malformed-keyring", "The keyring's generation can't grow. Remove the account, and register again.");
        }
        generation++;
    }
}
