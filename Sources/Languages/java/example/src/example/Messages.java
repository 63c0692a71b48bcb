package example;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.task.TaskExecutor;
import org.springframework.stereotype.Component;
import pushcrypt.Options;
import pushcrypt.Push;
import pushcrypt.PushCryptException;
import pushcrypt.Row;
import pushcrypt.Sealer;

/** The job: seals a message for the devices of its user. */
@Component
public class Messages {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Autowired
    private TaskExecutor executor;
    @Autowired
    private Sealer sealer;
    @Autowired
    private Devices devices;

    /** Adds a task. */
    public void add(String user, byte[] payload) {
        executor.execute(() -> seal(user, payload));
    }

    private void seal(String user, byte[] payload) {
        try {
            for (Map.Entry<String, Row> entry : devices.of(user).entrySet()) {
                Options options = new Options().topic("com.example.app");
                send(entry.getKey(), sealer.seal(payload, entry.getValue(), options));
            }
        } catch (PushCryptException | IOException problem) { // Never send the payload itself.
            System.err.println("a device of " + user + ": " + problem.getMessage());
        }
    }

    /** Replace this by your client of APNs, which posts the payload with the headers to /3/device/TOKEN. */
    private static void send(String token, Push push) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("token", token);
        line.put("payload", new String(push.payload(), StandardCharsets.UTF_8));
        line.put("headers", push.headers());
        System.out.println(JSON.writeValueAsString(line));
    }
}
