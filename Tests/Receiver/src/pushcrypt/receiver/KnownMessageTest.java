package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.PushCryptException;
import pushcrypt.TestSealer;

/** Messages that stay known, whatever happens to their notifications, and the order of texts with one collapse ID. */
public class KnownMessageTest {
    private World world;
    private String message;
    /** Another sealed value with the message. */
    private String second;

    @Before
    public void register() throws Exception {
        world = new World().registered();
        seal("");
    }

    private void seal(String thread) {
        TestSealer sealer = world.sealer(world.shop);
        message = sealer.seal(World.alert("secret", thread), world.shopServer.key);
        second = sealer.seal(World.alert("secret", thread), world.shopServer.key);
    }

    private void withdraw(String collapseId) {
        world.now += World.MINUTE;
        Outcome outcome = world.receive(world.withdrawal(world.shop, "collapse-ids", collapseId));
        assertEquals(Outcome.Kind.WITHDRAWAL, outcome.kind());
    }

    /** Receives the message with a kill before its display, so that a copy displays it. */
    private void interrupt(String sealed, String collapseId) throws PushCryptException {
        world.display.killsBefore = true;
        world.receiveKilled(sealed, collapseId);
    }

    private void assertShown(String... bodies) {
        assertEquals(Arrays.asList(bodies), world.display.bodies());
    }

    /** Withdraws the identifier, and checks that a copy under another one displays nothing. */
    private void assertKnown(String collapseId, String... shown) {
        withdraw(collapseId);
        assertShown(shown);
        for (String copy : Arrays.asList(second, message)) {
            assertEquals(Outcome.Kind.WITHDRAWN, world.receive(copy, "copy").kind());
            assertEquals(Outcome.Kind.WITHDRAWN, world.receive(copy, null).kind());
            assertShown(shown);
        }
    }

    // What takes the place of a notification

    @Test
    public void anEditLeavesTheMessageKnown() {
        world.receive(message, "id");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "edit"), "id");
        assertShown("edit");
        assertKnown("id");
    }

    @Test
    public void anEditOfAnInterruptedMessageLeavesItKnown() throws Exception {
        interrupt(message, "id");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "edit"), "id");
        assertKnown("id");
    }

    @Test
    public void damagedAndUnsealedPushesLeaveTheMessageKnown() throws Exception {
        interrupt(message, "id");
        world.receive(message.substring(0, message.length() - 4) + "AAAA", "id");
        world.receive("!", "id");
        world.receiver.receive(Collections.singletonMap("text", "unsealed"), "id");
        assertKnown("id", "(Encrypted)", "(Encrypted)", "(Encrypted)");
    }

    @Test
    public void aDismissedMessageStaysKnown() throws Exception {
        world.display.killsAfter = true;
        world.receiveKilled(message, "id");
        world.display.dismiss("secret");
        assertKnown("id");
    }

    @Test
    public void aMessageStaysKnownAfterItsRemoval() {
        seal("family");
        world.receive(message, "id");
        world.receive(world.withdrawal(world.shop, "thread-ids", "family"));
        assertShown();
        assertKnown("id");
    }

    // Copies under other identifiers

    @Test
    public void aWithdrawalReachesACopyThatTookTheNotificationOver() throws Exception {
        world.display.killsAfter = true;
        world.receiveKilled(message, "id");
        world.receive(message, "other");
        assertShown("secret");
        assertKnown("id");
    }

    @Test
    public void aWithdrawalReachesACopyThatAKillInterrupted() throws Exception {
        interrupt(message, "id");
        interrupt(message, "other");
        assertKnown("id");
    }

    @Test
    public void aWithdrawalOfACopysIdentifierRemovesTheMessage() {
        world.receive(message, "id");
        assertEquals(Outcome.Kind.REPEATED, world.receive(message, "other").kind());
        assertKnown("other");
    }

    @Test
    public void aWithdrawalReachesAMessageThatWaitsUnopened() throws Exception {
        world.arm("open");
        world.receiveKilled(message, "id");
        world.secrets.hook = (operation, name, isBefore) -> { };
        withdraw("id");
        assertEquals(Outcome.Kind.WITHDRAWN, world.receive(message, "copy").kind());
        assertEquals(Collections.emptyList(), world.receiver.resume());
        assertShown();
    }

    @Test
    public void aMessageThatCameAfterItsWithdrawalIsWithdrawnUnderAnyIdentifier() {
        withdraw("id");
        assertEquals(Outcome.Kind.WITHDRAWN, world.receive(message, "id").kind());
        assertEquals(Outcome.Kind.WITHDRAWN, world.receive(message, "other").kind());
        assertShown();
    }

    @Test
    public void aLongInterruptedMessageStaysKnownUnderAllItsIdentifiers() throws Exception {
        interrupt(message, "id");
        interrupt(message, "other");
        world.now += 30 * World.DAY;
        world.receive(world.sealed(world.shop, "later"), null);
        withdraw("id");
        world.receive(message, "copy");
        world.receiver.resume();
        assertShown("later");
    }

    @Test
    public void aMessageThatIsDisplayedAfterItsEndStaysKnownUnderAllItsIdentifiers() throws Exception {
        world.arm("open");
        world.receiveKilled(message, "id");
        world.secrets.hook = (operation, name, isBefore) -> { };
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "newer"), "other");
        world.now += 30 * World.DAY;
        world.receive(message, "other");
        assertShown("newer", "secret");
        withdraw("other");
        assertShown();
    }

    @Test
    public void anotherAccountsMessageIsNotReached() throws Exception {
        String other = world.sealed(world.bank, "bank");
        interrupt(other, "id");
        withdraw("id");
        assertEquals(Outcome.Kind.REPEATED, world.receive(other, "other").kind());
        assertShown("bank");
    }

    // The order of texts

    @Test
    public void anOlderMessageDoesNotReplaceANewerOne() {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "newer"), "id");
        assertEquals("KEPT", world.receive(older, "id").toString());
        assertShown("newer");
        world.now += World.MINUTE;
        world.now -= World.DAY;
        String oldest = world.sealed(world.shop, "oldest");
        world.now += World.DAY;
        assertEquals("KEPT", world.receive(oldest, "id").toString());
        assertEquals(Outcome.Kind.REPEATED, world.receive(older, "id").kind());
        assertShown("newer");
        assertEquals(Collections.singletonMap("newer", 1), world.display.appearances);
    }

    @Test
    public void anOlderMessageWithAFallbackGoes() throws Exception {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "newer"), "id");
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.startsWith("keys.")) {
                throw new PushCryptException("device-locked", "Not before the first unlock.");
            }
        };
        world.receive(older, "id");
        assertShown("(Encrypted)", "newer");
        world.secrets.hook = (operation, name, isBefore) -> { };
        assertEquals("[KEPT]", world.receiver.resume().toString());
        assertShown("newer");
        assertEquals(0, world.receiver.resume().size());
    }

    @Test
    public void anOlderMessageIsDisplayedAfterTheNewerOneWasDismissed() {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "newer"), "id");
        world.display.dismiss("newer");
        world.now += World.MINUTE;
        assertEquals(Outcome.Kind.OPENED, world.receive(older, "id").kind());
        assertShown("older");
    }

    @Test
    public void aNewerNotificationThatIsNotListedYetStays() {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "newer"), "id");
        world.display.dismiss("newer"); // The system takes some time to list it.
        world.now += 1000;
        assertEquals("KEPT", world.receive(older, "id").toString());
        assertShown();
    }

    @Test
    public void anInterruptedNewerMessageReplacesAnOlderOne() throws Exception {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        interrupt(world.sealed(world.shop, "newer"), "id");
        world.now += World.MINUTE;
        assertEquals(Outcome.Kind.OPENED, world.receive(older, "id").kind());
        assertShown("older");
        world.receiver.resume();
        assertShown("newer");
    }

    @Test
    public void aWithdrawnNewerMessageHidesNoOlderOne() {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        world.receive(world.sealer(world.shop).seal(World.alert("newer", "family"), world.shopServer.key), "id");
        world.receive(world.withdrawal(world.shop, "thread-ids", "family"));
        assertEquals(Outcome.Kind.OPENED, world.receive(older, "id").kind());
        assertShown("older");
    }

    @Test
    public void aNewerMessageThatAKillKeptFromItsRemovalHidesNoOlderOne() throws Exception {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        world.receive(world.sealer(world.shop).seal(World.alert("newer", "family"), world.shopServer.key), "id");
        int[] writes = {0};
        world.state.hook = (operation, name, isBefore) -> {
            if (operation.equals("write") && !isBefore && ++writes[0] == 2) {
                throw new Killed();
            }
        };
        world.receiveKilled(world.withdrawal(world.shop, "thread-ids", "family"));
        world.state.hook = (operation, name, isBefore) -> { };
        assertEquals(Outcome.Kind.OPENED, world.receive(older, "id").kind());
        assertShown("older");
    }

    @Test
    public void aCopyOfAnOlderMessageLosesNoTextThatWaitsElsewhere() throws Exception {
        world.arm("open");
        world.receiveKilled(message, "id");
        world.secrets.hook = (operation, name, isBefore) -> { };
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "newer"), "other");
        world.receive(message, "other");
        world.receiver.resume();
        assertShown("newer", "secret");
    }

    @Test
    public void aCopyOfADisplayedMessageLeavesBothTexts() throws Exception {
        world.display.killsAfter = true;
        world.receiveKilled(message, "id");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.shop, "newer"), "other");
        world.receive(message, "other");
        assertShown("newer", "secret");
        assertEquals(1, (int) world.display.appearances.get("secret"));
    }

    @Test
    public void accountsDoNotReplaceEachOther() {
        String older = world.sealed(world.shop, "older");
        world.now += World.MINUTE;
        world.receive(world.sealed(world.bank, "newer"), "id");
        assertEquals(Outcome.Kind.OPENED, world.receive(older, "id").kind());
        assertShown("newer", "older");
    }

    // Room

    @Test
    public void aMessageThatLeavesTheScreensRoomStaysKnown() throws Exception {
        interrupt(message, "id");
        fill(500);
        withdraw("id");
        assertEquals(Outcome.Kind.WITHDRAWN, world.receive(second, "copy").kind());
    }

    @Test
    public void aForgottenMessageIsPossiblyWithdrawnInItsAccountOnly() throws Exception {
        String bank = world.sealed(world.bank, "bank");
        String late = world.sealed(world.shop, "late");
        interrupt(bank, "id");
        interrupt(message, "id");
        fill(2001);
        withdraw("id");
        assertEquals("possibly-withdrawn", world.receive(second, "copy").code());
        assertEquals(Outcome.Kind.REPEATED, world.receive(bank, "copy").kind());
        // The guard admits it as new, so that no withdrawal can have named it under another identifier.
        assertEquals(Outcome.Kind.OPENED, world.receive(late, null).kind());
        assertEquals(Arrays.asList("(Encrypted)", "bank", "late"), world.display.bodies());
    }

    /** Displays messages that the user dismisses at once. */
    private void fill(int count) {
        List<String> failed = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            world.now += 1;
            Outcome outcome = world.receive(world.sealed(world.shop, "fill"), null);
            if (outcome.kind() != Outcome.Kind.OPENED) {
                failed.add(outcome.toString());
            }
            world.display.notices.values().removeIf(notice -> notice.content().body().equals("fill"));
        }
        assertEquals(Collections.emptyList(), failed);
    }
}
