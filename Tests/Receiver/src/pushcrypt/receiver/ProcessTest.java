package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import pushcrypt.PrivateKey;
import pushcrypt.TestSealer;

/** Several processes that share the files, and are killed with SIGKILL. */
public class ProcessTest {
    private static final int MESSAGES = 40;
    private static final int KILLS = 6;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void eachMessageHasOneNotification() throws Exception {
        Path directory = folder.getRoot().toPath();
        Files.createDirectory(directory.resolve("shown"));
        PrivateKey server = TestSealer.serverKey(TestSealer.random(32));
        String key = server.publicKey().toJwk();
        Account account = new Account("shop", SenderPolicy.signedBy(key), "anna");
        Receiver receiver = ProcessChild.receiver(directory, account);
        receiver.prepare();
        FakeServer fake = new FakeServer(System::currentTimeMillis);
        receiver.registrar(account, "device").register("token", fake);
        List<String> sealed = new ArrayList<>();
        for (int number = 0; number < MESSAGES; number++) {
            TestSealer sealer = new TestSealer();
            sealer.signer = server;
            sealer.issuedAt = System.currentTimeMillis();
            sealed.add(sealer.seal(World.alert("m" + number, ""), fake.key));
        }
        Path file = folder.newFile("messages").toPath();
        Files.write(file, sealed);
        kill(directory, key, file);
        Process[] last = {start(directory, key, file), start(directory, key, file)};
        for (Process each : last) {
            assertTrue(each.waitFor(120, TimeUnit.SECONDS));
            assertEquals(0, each.exitValue());
        }
        File[] shown = directory.resolve("shown").toFile().listFiles();
        assertEquals(MESSAGES, shown.length);
        List<String> log = Files.readAllLines(directory.resolve("log"));
        Set<String> bodies = new HashSet<>();
        for (File each : shown) {
            bodies.add(new String(Files.readAllBytes(each.toPath())));
        }
        assertEquals(MESSAGES, bodies.size());
        // A kill between the display and the log hides an appearance, and none is logged twice.
        assertEquals(new HashSet<>(log).size(), log.size());
        assertTrue(log.size() >= MESSAGES - KILLS && bodies.containsAll(log));
    }

    /** Kills processes while they display messages. */
    private static void kill(Path directory, String key, Path file) throws Exception {
        Random random = new Random();
        for (int count = 1; count <= KILLS; count++) {
            Process process = start(directory, key, file);
            // The process is killed after it has displayed some more messages.
            int wanted = count * MESSAGES / (KILLS + 2);
            for (int wait = 0; wait < 3000 && shown(directory) < wanted && process.isAlive(); wait++) {
                Thread.sleep(10);
            }
            Thread.sleep(random.nextInt(20));
            process.destroyForcibly().waitFor();
        }
    }

    private static int shown(Path directory) {
        return directory.resolve("shown").toFile().list().length;
    }

    private static Process start(Path directory, String key, Path file) throws Exception {
        return new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
            "pushcrypt.receiver.ProcessChild", directory.toString(), key, file.toString()).inheritIO().start();
    }
}
