package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Collectors;
import org.junit.Test;

/** The room of a ledger, and what it forgets at its bounds. */
public class LedgerTest {
    private static final long NOW = World.START;
    private static final int SHOWN = 500;
    private static final int KNOWN = 1500;
    private static final int WITHDRAWALS = 500;

    private final Ledger ledger = new Ledger(new byte[32]);

    private Ledger.Entry message(String account, String id, String collapseId, long issued) {
        Ledger.Message names = new Ledger.Message();
        names.account = account;
        names.tag = "tag " + id;
        names.thread = "";
        names.id = id;
        names.issued = issued;
        names.end = issued + World.DAY;
        return ledger.entry(names, collapseId);
    }

    private Ledger.Entry message(int number) {
        return message("shop", "m" + number, "c" + number, NOW + number);
    }

    private void record(int first, int end) {
        for (int number = first; number < end; number++) {
            assertEquals(Ledger.Verdict.FREE, arrive(message(number), NOW + number));
        }
    }

    private void show(Ledger.Entry message, long now) {
        assertEquals(Ledger.Verdict.FREE, arrive(message, now));
        ledger.show(message, now);
        ledger.takeReplaced(message, now);
    }

    private void withdraw(String collapseId, long issued) {
        String target = ledger.hash("collapse-ids", collapseId);
        ledger.withdraw(ledger.hash("account", "shop"), target, issued, issued + World.DAY, issued);
    }

    private Ledger.Verdict arrive(Ledger.Entry message, long now) {
        return ledger.lookUp(Collections.singletonList(message), false, now);
    }

    private Ledger.Verdict copy(Ledger.Entry message, long now) {
        return ledger.lookUp(Collections.singletonList(message), true, now);
    }

    private int count(Ledger.State state) {
        return (int) ledger.entries.stream().filter(each -> each.state == state).count();
    }

    @Test
    public void theOldestNotificationsBecomeKnown() {
        for (int number = 0; number < SHOWN + 3; number++) {
            show(message(number), NOW + number);
        }
        assertEquals(SHOWN, count(Ledger.State.SHOWN));
        assertEquals(Arrays.asList("tag m0", "tag m1", "tag m2"), ledger.entries.stream()
            .filter(each -> each.state == Ledger.State.KNOWN).map(each -> each.tag).collect(Collectors.toList()));
        withdraw("c0", NOW + World.HOUR);
        assertEquals(Ledger.Verdict.WITHDRAWN, copy(message("shop", "m0", "other", NOW), NOW + World.HOUR));
    }

    @Test
    public void theOldestKnownMessageIsForgottenAndFailsClosed() {
        record(0, KNOWN + 1);
        assertEquals(KNOWN, count(Ledger.State.KNOWN));
        long now = NOW + World.MINUTE;
        assertEquals(Ledger.Verdict.POSSIBLY_WITHDRAWN, copy(message(0), now));
        // It isn't recorded, so that it stays closed.
        assertEquals(Ledger.Verdict.POSSIBLY_WITHDRAWN, copy(message(0), now));
        assertEquals(Ledger.Verdict.FREE, copy(message(1), now));
        assertEquals(Ledger.Verdict.FREE, copy(message("shop", "later", "c", NOW + 1), now));
        assertEquals(Ledger.Verdict.FREE, copy(message("bank", "m0", "c0", NOW), now));
        assertEquals(Ledger.Verdict.FREE, arrive(message("shop", "late", "c", NOW), now));
    }

    @Test
    public void aWithdrawnMessageIsNotOnlyPossiblyWithdrawn() {
        record(0, KNOWN + 1);
        withdraw("c0", NOW + World.MINUTE);
        assertEquals(Ledger.Verdict.WITHDRAWN, copy(message(0), NOW + World.MINUTE));
    }

    @Test
    public void editsForgetAtTheIssueTimeOfTheLastForgottenMessage() {
        for (int number = 0; number < KNOWN + 11; number++) {
            show(message("shop", "m" + number, "c", NOW + number), NOW + number);
        }
        assertEquals(1, count(Ledger.State.SHOWN));
        assertEquals(KNOWN, count(Ledger.State.KNOWN));
        for (int number = 0; number < KNOWN + 11; number++) {
            Ledger.Verdict verdict = copy(message("shop", "m" + number, "c", NOW + number), NOW + World.MINUTE);
            assertEquals(number < 10 ? Ledger.Verdict.POSSIBLY_WITHDRAWN : Ledger.Verdict.FREE, verdict);
        }
    }

    @Test
    public void aDateInTheFutureShutsOutNothingLater() {
        for (int number = 0; number <= KNOWN; number++) {
            arrive(message("shop", "m" + number, "c", NOW + World.DAY + number), NOW);
        }
        assertEquals(Ledger.Verdict.POSSIBLY_WITHDRAWN, copy(message("shop", "other", "c", NOW), NOW));
        assertEquals(Ledger.Verdict.FREE, copy(message("shop", "other", "c", NOW + 1), NOW));
    }

    @Test
    public void endedMessagesLeaveFirst() {
        arrive(message("shop", "old", "c", NOW - World.DAY), NOW - World.DAY);
        long now = NOW + World.MINUTE;
        record(0, KNOWN);
        assertEquals(0, count(Ledger.State.FORGOTTEN));
        assertEquals(Ledger.Verdict.FREE, copy(message(0), now));
        assertEquals(KNOWN, count(Ledger.State.KNOWN));
    }

    @Test
    public void namesOfCopiesDoNotDisplaceTheFirstName() {
        for (int number = 0; number < KNOWN + 10; number++) {
            copy(message("shop", "m", "c" + number, NOW), NOW);
        }
        withdraw("c0", NOW + 1);
        assertEquals(Ledger.Verdict.WITHDRAWN, copy(message("shop", "m", "other", NOW), NOW + 1));
    }

    @Test
    public void namesOfDisplayedMessagesLeaveLast() {
        Ledger.Entry displayed = message("shop", "m", "c", NOW - 1);
        show(displayed, NOW);
        copy(message("shop", "m", "other", NOW - 1), NOW);
        record(0, KNOWN);
        assertEquals(Ledger.Verdict.FREE, copy(displayed, NOW + World.MINUTE));
        withdraw("other", NOW + World.MINUTE);
        assertEquals(Collections.singletonList("tag m"), ledger.takeWithdrawn(NOW + World.MINUTE));
    }

    @Test
    public void aCopyMayHaveLostItsName() {
        copy(message("shop", "m", "c", NOW), NOW);
        copy(message("shop", "m", "other", NOW), NOW);
        record(1, KNOWN);
        assertEquals(Ledger.Verdict.POSSIBLY_WITHDRAWN, copy(message("shop", "m", "c", NOW), NOW + World.MINUTE));
    }

    @Test
    public void aForgottenWithdrawalIsAnotherBound() {
        record(0, 2);
        for (int number = 0; number <= WITHDRAWALS; number++) {
            withdraw("w" + number, NOW + number);
        }
        assertEquals(WITHDRAWALS, count(Ledger.State.WITHDRAWAL));
        assertEquals(Ledger.Verdict.POSSIBLY_WITHDRAWN, copy(message(0), NOW + World.MINUTE));
        assertEquals(Ledger.Verdict.POSSIBLY_WITHDRAWN, arrive(message("shop", "late", "", NOW), NOW));
        assertEquals(Ledger.Verdict.FREE, copy(message(1), NOW + World.MINUTE));
    }

    @Test
    public void theFileKeepsAllEntries() throws Exception {
        for (int number = 0; number < 3; number++) {
            show(message("shop", "m" + number, "c", NOW + number), NOW + number);
        }
        withdraw("c", NOW + 1);
        MessageState state = MessageStateText.read(MessageStateText.write(new MessageState(ledger)));
        for (int at = 0; at < ledger.entries.size(); at++) {
            Ledger.Entry before = ledger.entries.get(at);
            Ledger.Entry after = state.ledger.entries.get(at);
            assertEquals(before.state, after.state);
            assertEquals(Arrays.asList(before.names()), Arrays.asList(after.names()));
            assertTrue(before.issued == after.issued && before.time == after.time && before.end == after.end);
        }
        assertEquals(Collections.singletonList("tag m2"), ledger.shown(message("shop", "m2", "", 0)).stream()
            .map(each -> each.tag).collect(Collectors.toList()));
    }
}
