package pushcrypt.receiver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;

/**
 * One random order of deliveries, kills, withdrawals, registrations and losses, compared with the model at each
 * step.
 */
final class Simulation {
    private static final int STEPS = 10;
    private static final String[] KILLS = {"arrival", "open", "before", "after"};

    private final Random random;
    /** Whether the order has few messages, and nothing else happens. */
    private final boolean isClose;
    private final SimulationKeys keys;
    private final World world;
    private final SimulationSenders senders;
    private final ReferenceModel model = new ReferenceModel();
    private final List<ReferenceModel.Message> messages = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final Map<String, String> signers = new HashMap<>();
    /** The numbers of the next token and list. */
    private int tokens;
    private int lists;

    Simulation(long seed, SimulationKeys keys) throws PushCryptException {
        random = new Random(seed);
        isClose = seed % 2 == 0;
        this.keys = keys;
        world = new World(keys.template, keys.source(random));
        senders = new SimulationSenders(random, keys, world);
    }

    /** Runs the order, and returns the kinds of its decisions. */
    Map<String, Integer> run() throws Exception {
        model.accepted.put("shop", new HashSet<>(Collections.singleton("shop")));
        model.accepted.put("bank", new HashSet<>(Collections.singleton("bank")));
        signers.put("shop", "shop");
        signers.put("bank", "bank");
        world.registered();
        Map<String, Integer> kinds = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            kinds.merge(isClose ? closeStep() : step(), 1, Integer::sum);
            compare();
        }
        settle();
        return kinds;
    }

    /** Takes a step among few messages, which replace and withdraw each other. */
    private String closeStep() throws Exception {
        if (messages.isEmpty()) {
            return deliver(created());
        }
        ReferenceModel.Message other = messages.get(random.nextInt(messages.size()));
        switch (random.nextInt(12)) {
            case 0:
                return garbage();
            case 1:
                return dismiss();
            case 2:
                return resume();
            case 3:
                return advance();
            case 4, 5:
                return edit(other);
            case 6, 7:
                return withdraw(other);
            case 8:
                return deliver(created());
            default:
                return deliverAgain();
        }
    }

    private String advance() {
        world.now += new long[] {World.MINUTE, World.HOUR / 2, 2 * World.HOUR, World.DAY, 3 * World.DAY}[
            random.nextInt(isClose ? 2 : 5)];
        return "advance";
    }

    private String step() throws Exception {
        switch (random.nextInt(20)) {
            case 0:
            case 1:
            case 2:
                return talk();
            case 3:
                return lose();
            case 4:
                model.isLocked = !model.isLocked;
                lock(model.isLocked);
                return "lock";
            case 5:
                return dismiss();
            case 6, 7:
                return resume();
            case 8, 9, 10:
                return advance();
            case 11, 12, 13:
                return messages.isEmpty() ? deliver(created()) : deliverAgain();
            case 14:
                return messages.isEmpty() ? garbage() : edit(messages.get(random.nextInt(messages.size())));
            case 15:
                return garbage();
            default:
                return deliver(created());
        }
    }

    /** Talks to a server. */
    private String talk() throws Exception {
        switch (random.nextInt(3)) {
            case 0:
                return register();
            case 1:
                return announce();
            default:
                return model.isLocked ? "prove locked" : proof();
        }
    }

    // Messages

    private String deliver(ReferenceModel.Message message) throws PushCryptException {
        return deliver(message, message.collapse);
    }

    /** Delivers a copy, perhaps with another collapse ID. */
    private String deliverAgain() throws PushCryptException {
        ReferenceModel.Message message = messages.get(random.nextInt(messages.size()));
        String collapse = new String[] {message.collapse, message.collapse, "", "c0", "c1"}[random.nextInt(5)];
        return deliver(message, message.withdrawn == null ? collapse : "");
    }

    /** Delivers a withdrawal of a collapse ID or a thread of a message. */
    private String withdraw(ReferenceModel.Message other) throws PushCryptException {
        ReferenceModel.Message message = senders.withdrawal(messages.size(), signers, other);
        messages.add(message);
        return deliver(message);
    }

    /** Delivers a new message of the same account with the collapse ID of another one. */
    private String edit(ReferenceModel.Message other) throws PushCryptException {
        ReferenceModel.Message message = senders.edit(messages.size(), signers, other);
        messages.add(message);
        return deliver(message);
    }

    /** Delivers a value that someone has damaged, or a push without one, with the collapse ID of a message. */
    private String garbage() throws PushCryptException {
        if (messages.isEmpty() || random.nextInt(3) == 0) {
            ReferenceModel.Message unsealed = new ReferenceModel.Message();
            Map<String, String> data = Collections.singletonMap("text", "unsealed" + trace.size());
            unsealed.sealed = data.toString();
            model.deliverUnsealed(unsealed);
            Outcome outcome = world.receiver.receive(data, "c" + random.nextInt(2));
            trace.add("unsealed: " + outcome);
            return outcome.toString();
        }
        ReferenceModel.Message damaged =
            senders.damage(messages.get(random.nextInt(messages.size())), messages.size());
        messages.add(damaged);
        return deliver(damaged);
    }

    private ReferenceModel.Message created() throws PushCryptException {
        ReferenceModel.Message message = senders.create(messages.size(), signers);
        messages.add(message);
        return message;
    }

    /** Delivers a displayed message long afterwards. Its text doesn't come back, and the fallback may. */
    private String deliverForgotten(ReferenceModel.Message message, String collapse) {
        String tag = Delivery.tag(message.sealed);
        boolean isShown = world.display.notices.containsKey(tag);
        boolean isRead = !model.isLocked && model.accepted.get(message.account).contains(message.signer);
        Outcome outcome = isRead ? world.receive(message.sealed, collapse) : null;
        trace.add("deliver forgotten " + message.body + ": " + outcome);
        boolean isNew = !isShown && world.display.notices.containsKey(tag);
        if (outcome == null) {
            return "forgotten";
        }
        if (outcome.kind() == Outcome.Kind.REPEATED || outcome.kind() == Outcome.Kind.WITHDRAWN) {
            model.repeat(message, collapse, world.now);
        }
        model.leave(message, world.now);
        if (outcome.kind() == Outcome.Kind.OPENED || isNew && !world.display.notices.get(tag).isFallback()) {
            throw failure("no text of a forgotten message");
        }
        if (isNew) {
            model.screen.put(message, ReferenceModel.FALLBACK);
        }
        return "forgotten";
    }

    private String deliver(ReferenceModel.Message message, String collapse) throws PushCryptException {
        if (model.isForgotten(message, world.now)) {
            return deliverForgotten(message, collapse);
        }
        String kill = random.nextInt(4) == 0 ? KILLS[random.nextInt(KILLS.length)] : null;
        String wanted;
        try {
            wanted = model.deliver(message, collapse, world.now, kill);
        } catch (ReferenceModel.End end) {
            wanted = "killed";
        }
        String found;
        world.arm(kill);
        try {
            found = world.receive(message.sealed, collapse).toString();
        } catch (Killed killed) {
            found = "killed";
        }
        disarm();
        if (found.equals("killed")) {
            world.start();
        }
        trace.add("deliver " + message.body + " as " + collapse + " kill " + kill + ": " + found);
        if (!found.equals(wanted) && !code(found).equals(code(wanted))) {
            throw failure("expected " + wanted);
        }
        return found;
    }

    /** Returns outcomes without the difference between old messages and destroyed keys. */
    private static String code(String outcomes) {
        return outcomes.replace("decryption-failed", "expired").replace("unknown-key", "expired");
    }

    private void disarm() {
        world.display.killsBefore = false;
        world.display.killsAfter = false;
        world.state.hook = (operation, name, isBefore) -> { };
        lock(model.isLocked);
    }

    private void lock(boolean isLocked) {
        world.secrets.hook = (operation, name, isBefore) -> {
            if (isLocked && name.startsWith("keys.")) {
                throw new PushCryptException("device-locked", "Not before the first unlock.");
            }
        };
    }

    // Other steps

    private String register() throws Exception {
        Account account = random.nextBoolean() ? world.shop : world.bank;
        FakeServer server = world.server(account);
        int choice = random.nextInt(4);
        if (choice == 0) {
            server.fails = true;
        } else if (choice == 1) {
            server.responses.add(RegistrationResponse.stale(1000 + 1000 * ++tokens));
        }
        try {
            if (choice == 2) {
                world.receiver.registrar(account, "device").renew("token" + ++tokens, server);
            } else {
                world.receiver.registrar(account, "device").register("token" + ++tokens, server);
            }
        } catch (IOException | PushCryptException problem) {
            trace.add("register: " + problem.getMessage());
            if (!server.fails && !model.isLocked) {
                throw failure("the registration succeeds");
            }
        } finally {
            server.fails = false;
            server.responses.clear();
        }
        return "register";
    }

    /** Hands out a list that replaces the accepted keys of an account. */
    private String announce() throws Exception {
        String name = "online" + lists;
        FakeServer server = world.shopServer;
        List<PublicKey> accepted = Collections.singletonList(keys.server(name).publicKey());
        server.lists.clear();
        server.lists.add(keys.list(name, accepted, ++lists));
        if (model.isLocked) {
            server.lists.clear();
            lists--;
            return "announce locked";
        }
        world.receiver.registrar(world.shop, "device").register("token" + ++tokens, server);
        model.accepted.put("shop", new HashSet<>(Collections.singleton(name)));
        signers.put("shop", name);
        trace.add("announce " + name);
        return "announce";
    }

    private String proof() throws Exception {
        String problem = new SimulationProof(world).run("token" + ++tokens);
        trace.add("prove");
        if (problem != null) {
            throw failure(problem);
        }
        return "prove";
    }

    private String lose() throws PushCryptException {
        world.now += 1000; // Keys have their date in seconds, and a newer key opens at once.
        world.state.contents.remove("messages");
        world.start().prepare();
        model.lose(world.now);
        // A sender whose clock is ahead isn't protected from a loss.
        messages.stream().filter(each -> each.issued > world.now).forEach(each -> world.display.forget(each.body));
        trace.add("lose");
        return "lose";
    }

    /** Removes a notification, or all of them, as the user does. */
    private String dismiss() {
        List<ReferenceModel.Message> shown = new ArrayList<>(model.screen.keySet());
        boolean isClear = random.nextInt(3) == 0;
        if (!shown.isEmpty() && !isClear) {
            shown = Collections.singletonList(shown.get(random.nextInt(shown.size())));
        }
        for (ReferenceModel.Message message : shown) {
            model.screen.remove(message);
            world.display.cancel(Delivery.tag(message.sealed));
            world.display.appearances.remove(message.body);
            trace.add("dismiss " + message.body);
        }
        return isClear ? "clear" : "dismiss";
    }

    private String resume() throws PushCryptException {
        List<String> wanted;
        try {
            wanted = model.resume(world.now);
        } catch (ReferenceModel.End end) {
            throw new AssertionError(end);
        }
        List<String> found = new ArrayList<>();
        world.start().resume().forEach(outcome -> found.add(outcome.toString()));
        trace.add("resume: " + found);
        if (!code(found.toString()).equals(code(wanted.toString()))) {
            throw failure("expected " + wanted);
        }
        return "resume";
    }

    /** Unlocks the device, and lets everything that waits arrive. */
    private void settle() throws PushCryptException {
        model.isLocked = false;
        lock(false);
        resume();
        compare();
    }

    private void compare() {
        String problem = SimulationComparison.problem(world.display, model, messages);
        if (problem != null) {
            throw failure(problem);
        }
    }

    private AssertionError failure(String wanted) {
        return new AssertionError(wanted + " in " + trace);
    }
}
