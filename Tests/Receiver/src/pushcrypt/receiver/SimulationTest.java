package pushcrypt.receiver;

import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/**
 * Random orders against the reference model. The property {@code orders} is their number, {@code seed} the first
 * one.
 */
public class SimulationTest {
    @Test
    public void ordersAgreeWithTheModel() throws Exception {
        int orders = Integer.getInteger("orders", 10_000);
        long first = Long.getLong("seed", System.currentTimeMillis() * 1000);
        SimulationKeys keys = new SimulationKeys();
        AtomicInteger next = new AtomicInteger();
        int count = Runtime.getRuntime().availableProcessors();
        ExecutorService threads = Executors.newFixedThreadPool(count);
        List<Future<Map<String, Integer>>> results = new ArrayList<>();
        for (int thread = 0; thread < count; thread++) {
            Callable<Map<String, Integer>> work = () -> run(first, orders, next, keys);
            results.add(threads.submit(work));
        }
        Map<String, Integer> kinds = new TreeMap<>();
        for (Future<Map<String, Integer>> result : results) {
            result.get().forEach((kind, number) -> kinds.merge(kind, number, Integer::sum));
        }
        threads.shutdown();
        System.out.println(orders + " orders from the seed " + first + ": " + kinds);
        for (String kind : new String[] {"OPENED", "REPEATED", "REPLAYED replayed", "WITHDRAWN", "WITHDRAWAL", "KEPT", "killed",
            "FALLBACK possibly-replayed", "FALLBACK unknown-signer", "FALLBACK wrong-account", "FALLBACK unsigned",
            "FALLBACK device-locked", "FALLBACK expired", "FALLBACK decryption-failed",
            "FALLBACK not-sealed", "clear", "register", "announce", "prove"}) {
            assertTrue(kind + " is too rare", kinds.getOrDefault(kind, 0) >= orders / 500);
        }
    }

    private static Map<String, Integer> run(long first, int orders, AtomicInteger next, SimulationKeys keys) {
        Map<String, Integer> kinds = new TreeMap<>();
        for (int order = next.getAndIncrement(); order < orders; order = next.getAndIncrement()) {
            try {
                Map<String, Integer> found = new Simulation(first + order, keys).run();
                found.forEach((kind, number) -> kinds.merge(kind, number, Integer::sum));
            } catch (Exception | AssertionError problem) {
                throw new AssertionError("seed " + (first + order) + ": " + problem, problem);
            }
        }
        return kinds;
    }
}
