package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import pushcrypt.Crypto;
import pushcrypt.Json;
import pushcrypt.PrivateKey;
import pushcrypt.PublicKey;
import pushcrypt.TestSealer;

/** The program that replays scenarios, with scenarios that are written by hand. */
public class ReplayTest {
    private static final long NOW = World.START;

    private final byte[] first = TestSealer.random(32);
    private final byte[] second = TestSealer.random(32);
    private final List<String> steps = new ArrayList<>();
    private PrivateKey server;

    private String sealed(String body, byte[] secret, long issuedAt) throws Exception {
        TestSealer sealer = new TestSealer();
        sealer.signer = server;
        sealer.issuedAt = issuedAt;
        PublicKey key = PrivateKey.ofDevice(secret.clone()).publicKey();
        return sealer.seal(World.alert(body, ""), key);
    }

    private void step(String members, String expected) {
        steps.add("{" + members.replace('\'', '"') + ",\"expect\":{" + expected.replace('\'', '"') + "}}");
    }

    private Json scenario() throws Exception {
        String text = "{\"name\":\"test\",\"now\":" + NOW + ",\"device-keys\":[\"" + Crypto.encode(first) + "\",\""
            + Crypto.encode(second) + "\"],\"accounts\":[{\"name\":\"shop\",\"user\":\"anna\",\"roots\":[\""
            + server.publicKey().toJwk().replaceAll(".*\"x\":\"(.{43}).*", "$1") + "\"],\"audience\":null}],\"steps\":["
            + String.join(",", steps) + "]}";
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private int differences() throws Exception {
        Json scenario = scenario();
        ReplayScenario replayed = new ReplayScenario(scenario);
        int differences = 0;
        int number = 0;
        for (Json step : scenario.get("steps").items()) {
            differences += Replay.compare("test", ++number, step, replayed.run(step));
        }
        return differences;
    }

    @Test
    public void aScenarioHasNoDifferences() throws Exception {
        server = TestSealer.serverKey(TestSealer.random(32));
        String register = "'do':'register','account':'shop','token':'t','answers':";
        step("'do':'prepare'", "'shown':[]");
        step(register + "[]", "'outcome':'unreachable'");
        step(register + "[{'status':'accepted','date':" + NOW + "}]", "'outcome':'unchanged'");
        step("'do':'deliver','sealed':'" + sealed("one", first, NOW) + "','kill':'before-display'",
            "'outcome':'killed','shown':[]");
        step("'do':'resume'", "'outcomes':['repeated'],'shown':['one']");
        step("'do':'renew','account':'shop','token':'t','answers':[{'status':'accepted'}]", "'outcome':'done'");
        step("'do':'lock'", "'shown':['one']");
        step("'do':'deliver','sealed':'" + sealed("two", second, NOW) + "'",
            "'outcome':'fallback device-locked','shown':['(Encrypted)','one']");
        step("'do':'unlock'", "'shown':['(Encrypted)','one']");
        step("'do':'resume'", "'outcomes':['opened'],'shown':['one','two']");
        step("'do':'dismiss','body':'one'", "'shown':['two']");
        step("'do':'advance','ms':1000", "'shown':['two']");
        step("'do':'lose-state'", "'shown':['two']");
        step("'do':'deliver','sealed':'" + sealed("three", first, NOW) + "'",
            "'outcome':'fallback possibly-replayed','shown':['(Encrypted)','two']");
        step("'do':'ask','account':'shop','token':'t','answers':[{'status':'accepted'}]", "'outcome':'asked'");
        step("'do':'ask','account':'shop','token':'t','answers':[]", "'outcome':'not-due','requests':[]");
        step("'do':'remove','account':'shop'", "'outcome':'done'");
        step("'do':'deliver','sealed':'" + sealed("four", first, NOW) + "'", "'outcome':'fallback removed-account'");
        assertEquals(0, differences());
    }

    @Test
    public void aDifferenceIsNoticed() throws Exception {
        server = TestSealer.serverKey(TestSealer.random(32));
        step("'do':'prepare'", "'shown':['x']");
        step("'do':'deliver','sealed':'!'", "'outcome':'opened','shown':['(Encrypted)']");
        assertEquals(2, differences());
        assertTrue(scenario().get("steps").items().size() == 2);
    }
}
