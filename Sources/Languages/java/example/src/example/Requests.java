package example;

import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import pushcrypt.PushCryptException;

/** The requests that the server answers. Jetty adds the header Date. */
@RestController
public class Requests {
    @Autowired
    private Devices devices;
    @Autowired
    private Messages messages;

    /** Stores the row of a device: {@code {"registration": "…", "token": "…"}}. The registration stays text. */
    @PostMapping("/devices")
    public ResponseEntity<Map<String, ?>> register(
        @RequestAttribute("user") String user, @RequestBody Map<String, Object> body) throws PushCryptException {
        if (!(body.get("registration") instanceof String registration)
            || !(body.get("token") instanceof String token)) {
            return ResponseEntity.badRequest().body(Map.of("code", "malformed-registration"));
        }
        String stored = devices.register(user, registration, token);
        return ResponseEntity.ok(Map.of("lists", List.of(), "token", stored));
    }

    /** Adds a job that seals a payload for the user's devices. */
    @PostMapping("/messages")
    public ResponseEntity<Void> post(@RequestAttribute("user") String user, @RequestBody byte[] payload) {
        messages.add(user, payload);
        return ResponseEntity.status(HttpStatus.ACCEPTED).build();
    }

    /** Answers a rejected registration. */
    @ExceptionHandler
    public ResponseEntity<Map<String, ?>> rejected(PushCryptException problem) {
        if (problem.code().equals("stale-generation")) {
            return ResponseEntity.status(HttpStatus.CONFLICT).body(Map.of("generation", problem.generation()));
        }
        return ResponseEntity.badRequest().body(Map.of("code", problem.code()));
    }
}
