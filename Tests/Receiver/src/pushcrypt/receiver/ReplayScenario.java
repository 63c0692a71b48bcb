package pushcrypt.receiver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import pushcrypt.Crypto;
import pushcrypt.Json;
import pushcrypt.PushCryptException;

/** A device that takes the steps of a scenario. */
final class ReplayScenario {
    private final MemoryStore secrets = new MemoryStore();
    private final MemoryStore state = new MemoryStore();
    private final FakeDisplay display = new FakeDisplay();
    private final List<Account> accounts = new ArrayList<>();
    private final Iterator<Json> keys;
    private long now;
    private Receiver receiver;
    private boolean isLocked;

    ReplayScenario(Json scenario) throws PushCryptException {
        now = Long.parseLong(scenario.get("now").rawText());
        keys = scenario.get("device-keys").items().iterator();
        for (Json item : scenario.get("accounts").items()) {
            List<String> roots = new ArrayList<>();
            item.get("roots").items().forEach(root -> roots.add(root.string()));
            SenderPolicy policy = roots.isEmpty()
                ? SenderPolicy.anyone() : SenderPolicy.signedBy(roots, item.get("audience").string());
            accounts.add(new Account(item.get("name").string(), policy, item.get("user").string()));
        }
        start();
    }

    private void start() throws PushCryptException {
        ReceiverBuilder builder = new ReceiverBuilder(accounts, Carrier.FIREBASE_ANDROID, secrets, state, display)
            .clock(() -> now).deadline(0);
        builder.source = new KeySource() {
            @Override
            public byte[] random(int length) {
                return KeySource.SYSTEM.random(length);
            }

            @Override
            public byte[] secretKey() {
                return Crypto.decode(keys.next().string());
            }
        };
        receiver = builder.build();
    }

    /** Takes a step, and returns what follows from it as JSON. */
    String run(Json step) throws PushCryptException, IOException {
        StringBuilder result = new StringBuilder("{");
        switch (step.get("do").string()) {
            case "advance":
                now += Long.parseLong(step.get("ms").rawText());
                break;
            case "prepare":
                receiver.prepare();
                break;
            case "start":
                start();
                break;
            case "resume":
                result.append("\"outcomes\":").append(outcomes(receiver.resume())).append(',');
                break;
            case "deliver":
                deliver(step, result);
                break;
            case "register":
            case "renew":
            case "ask":
            case "remove":
                register(step, result);
                break;
            case "lose-state":
                state.contents.remove("messages");
                break;
            case "lose-installation":
                state.contents.remove("registration." + account(step).id());
                break;
            case "lock":
                lock(true);
                break;
            case "unlock":
                lock(false);
                break;
            case "dismiss":
                display.dismiss(step.get("body").string());
                break;
            default:
                throw new IllegalArgumentException("The step is unknown: " + step.get("do").string());
        }
        return result.append("\"shown\":").append(KeyringText.strings(display.bodies())).append('}').toString();
    }

    private void lock(boolean value) {
        isLocked = value;
        secrets.hook = (operation, name, isBefore) -> {
            if (isLocked && name.startsWith("keys.")) {
                throw new PushCryptException("device-locked", "Not before the first unlock.");
            }
        };
    }

    private Account account(Json step) {
        for (Account account : accounts) {
            if (account.name.equals(step.get("account").string())) {
                return account;
            }
        }
        throw new IllegalArgumentException("The account of a step is unknown.");
    }

    private void deliver(Json step, StringBuilder result) throws PushCryptException {
        String kill = step.get("kill").string();
        arm(kill);
        String outcome;
        try {
            outcome = outcome(receiver.receive(
                World.data(step.get("sealed").string()), step.get("collapse-id").string()));
        } catch (Killed killed) {
            outcome = "killed";
        }
        display.killsBefore = false;
        display.killsAfter = false;
        state.hook = (operation, name, isBefore) -> { };
        lock(isLocked);
        if (outcome.equals("killed")) {
            start();
        }
        result.append("\"outcome\":").append(Json.quote(outcome)).append(',');
    }

    private void arm(String kill) {
        display.killsBefore = "before-display".equals(kill);
        display.killsAfter = "after-display".equals(kill);
        if ("at-arrival".equals(kill)) {
            state.hook = (operation, name, isBefore) -> {
                throw new Killed();
            };
        } else if ("before-open".equals(kill)) {
            secrets.hook = (operation, name, isBefore) -> {
                if (name.startsWith("keys.")) {
                    throw new Killed();
                }
            };
        }
    }

    private void register(Json step, StringBuilder result) throws PushCryptException {
        Registrar registrar = receiver.registrar(account(step), "device");
        String token = step.get("token").string();
        List<String> requests = new ArrayList<>();
        Iterator<Json> answers = step.get("answers").items().iterator();
        Server server = request -> {
            requests.add(request.json());
            return answer(answers.hasNext() ? answers.next() : null);
        };
        String outcome;
        try {
            switch (step.get("do").string()) {
                case "renew":
                    registrar.renew(token, server);
                    outcome = "done";
                    break;
                case "ask":
                    outcome = registrar.registerIfDue(token, server) ? "asked" : "not-due";
                    break;
                case "remove":
                    registrar.remove();
                    outcome = "done";
                    break;
                default:
                    outcome = registrar.register(token, server).toString().toLowerCase(Locale.ROOT);
            }
        } catch (IOException problem) {
            outcome = "unreachable";
        } catch (PushCryptException problem) {
            outcome = problem.code();
        }
        result.append("\"outcome\":").append(Json.quote(outcome)).append(",\"requests\":")
            .append(KeyringText.strings(requests)).append(',');
    }

    /** Returns the response of a server; a missing one can't be reached. */
    private static RegistrationResponse answer(Json answer) throws IOException {
        if (answer == null || answer.get("status").string() == null) {
            throw new IOException("The server can't be reached.");
        }
        Long date = answer.get("date").isMissing() ? null : Long.valueOf(answer.get("date").rawText());
        List<String> lists = new ArrayList<>();
        answer.get("lists").items().forEach(list -> lists.add(list.string()));
        switch (answer.get("status").string()) {
            case "accepted":
                return RegistrationResponse.accepted(date, lists);
            case "challenged":
                return RegistrationResponse.challenged(date, lists);
            default:
                return RegistrationResponse.stale(Long.parseLong(answer.get("generation").rawText()));
        }
    }

    private static String outcome(Outcome outcome) {
        String kind = outcome.kind().toString().toLowerCase(Locale.ROOT);
        return outcome.kind() == Outcome.Kind.FALLBACK ? kind + " " + outcome.code() : kind;
    }

    private static String outcomes(List<Outcome> outcomes) {
        List<String> texts = new ArrayList<>();
        outcomes.forEach(each -> texts.add(outcome(each)));
        Collections.sort(texts);
        return KeyringText.strings(texts);
    }
}
