package example;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.handler.HandlerInterceptorAdapter;

/** Answers with 401 without an access token, or sets the request's attribute {@code user}. */
final class Access extends HandlerInterceptorAdapter {
    private static final String SCHEME = "Bearer ";

    private final Map<String, String> users = new HashMap<>();

    Access(String json) {
        try {
            Map<?, ?> tokens = new ObjectMapper().readValue(json, Map.class);
            tokens.forEach((token, user) -> users.put(hash((String) token), (String) user));
        } catch (IOException problem) {
            throw new IllegalArgumentException("ACCESS_TOKENS isn't a JSON object. Set it.", problem);
        }
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String header = request.getHeader("Authorization");
        boolean isBearer = header != null && header.startsWith(SCHEME);
        String user = isBearer ? users.get(hash(header.substring(SCHEME.length()))) : null;
        request.setAttribute("user", user);
        if (user == null) {
            response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        }
        return user != null;
    }

    private static String hash(String token) {
        try {
            byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException problem) {
            throw new IllegalStateException(problem);
        }
    }
}
