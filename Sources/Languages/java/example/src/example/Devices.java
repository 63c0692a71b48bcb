package example;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;
import pushcrypt.Row;

/** The rows of all devices, as text. Use a table of your database, and one transaction for each registration. */
@Component
public class Devices {
    private record Place(String user, String token) {}

    private final Map<Place, String> texts = new HashMap<>();

    /** Returns the rows of a user by their token. */
    public synchronized Map<String, Row> of(String user) throws PushCryptException {
        Map<String, Row> rows = new HashMap<>();
        for (Map.Entry<Place, String> entry : texts.entrySet()) {
            if (entry.getKey().user().equals(user)) {
                rows.put(entry.getKey().token(), Row.parse(entry.getValue()));
            }
        }
        return rows;
    }

    /** Stores the row of a registration, or throws an exception and keeps the known one. Returns the token. */
    public synchronized String register(String user, String registration, String token) throws PushCryptException {
        String stored = Registration.deviceToken(token);
        Map<String, Row> rows = of(user);
        Row known = rows.remove(stored);
        List<Row> others = new ArrayList<>(rows.values());
        Row.Request request = new Row.Request(registration, stored, user, System.currentTimeMillis());
        texts.put(new Place(user, stored), Row.accept(request, known, others).toJson());
        return stored;
    }
}
