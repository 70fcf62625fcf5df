package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Refused;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The shared access keys of the namespace. Without any, every token is good. Immutable. */
public final class SasKeys {
    private static final String PREFIX = "SharedAccessSignature ";

    private final Map<String, String> keys;

    /** Keys by the names of their rules. */
    public SasKeys(Map<String, String> keys) {
        this.keys = Map.copyOf(keys);
    }

    boolean required() {
        return !keys.isEmpty();
    }

    /**
     * The path that a token lets its bearer use, with everything below it.
     *
     * @throws Refused if the token is not signed by one of the keys, or has expired
     */
    String scopeOf(String token, long nowSeconds) {
        if (!token.startsWith(PREFIX)) {
            throw denied("The token is no shared access signature.");
        }
        Map<String, String> fields = fields(token.substring(PREFIX.length()));
        String key = keys.get(fields.getOrDefault("skn", ""));
        String resource = fields.getOrDefault("sr", "");
        String expiry = fields.getOrDefault("se", "");
        String signed = encoded(token, "sr") + "\n" + expiry;
        if (key == null || !matches(signature(key, signed), fields.getOrDefault("sig", ""))) {
            throw denied("Invalid signature.");
        }
        if (!expiry.matches("\\d{1,18}") || Long.parseLong(expiry) <= nowSeconds) {
            throw denied("The token has expired.");
        }
        return LinkRouter.path(resource);
    }

    private static boolean matches(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> fields(String query) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int at = pair.indexOf('=');
            if (at > 0) {
                fields.put(pair.substring(0, at), decode(pair.substring(at + 1)));
            }
        }
        return fields;
    }

    private static String decode(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw denied("The token is malformed.");
        }
    }

    /** What was signed is the resource as it is encoded in the token. */
    private static String encoded(String token, String field) {
        for (String pair : token.substring(PREFIX.length()).split("&", -1)) {
            if (pair.startsWith(field + "=")) {
                return pair.substring(field.length() + 1);
            }
        }
        return "";
    }

    private static String signature(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    static Refused denied(String why) {
        return new Refused(BrokerError.UNAUTHORIZED, "Unauthorized access. " + why);
    }
}
