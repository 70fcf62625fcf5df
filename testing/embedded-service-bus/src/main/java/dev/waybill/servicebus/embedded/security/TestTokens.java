package dev.waybill.servicebus.embedded.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Issues signed tokens that stand in for those of Microsoft Entra, and recognises them. They are JSON Web Tokens
 * with the audience of Service Bus, an end, the roles of Entra that grant rights to data, and the path these are
 * granted for. Each issuer has a key of its own, so a broker accepts only its issuer's tokens. Immutable and
 * thread-safe.
 */
public final class TestTokens {
    private static final int KEY_BYTES = 32;
    private static final String AUDIENCE = "https://servicebus.azure.net";
    private static final String HEADER = encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    private static final Pattern END = Pattern.compile("\"exp\":(\\d{1,18})");
    private static final Pattern SCOPE = Pattern.compile("\"scope\":\"([^\"\\\\]*)\"");

    private final byte[] key = new byte[KEY_BYTES];
    private final InstantSource clock = InstantSource.system();

    private TestTokens() {
        new SecureRandom().nextBytes(key);
    }

    /** An issuer with a new key. */
    public static TestTokens create() {
        return new TestTokens();
    }

    /** A token for the whole namespace. */
    public String issue(Duration life, AccessRight... rights) {
        return issueFor("", life, rights);
    }

    /**
     * A token for one path and what lies below it.
     *
     * @param life for how long; zero or less makes a token that has expired
     * @throws IllegalArgumentException if the path holds a quote or a backslash
     */
    public String issueFor(String path, Duration life, AccessRight... rights) {
        if (path.contains("\"") || path.contains("\\")) {
            throw new IllegalArgumentException("No entity has such a path: " + path);
        }
        String roles = Set.of(rights).stream()
                .map(right -> '"' + right.role() + '"')
                .sorted()
                .collect(Collectors.joining(","));
        Instant end = clock.instant().plus(life);
        String claims = "{\"aud\":\"" + AUDIENCE + "\",\"exp\":" + end.getEpochSecond() + ",\"scope\":\"" + path
                + "\",\"roles\":[" + roles + "]}";
        String signed = HEADER + '.' + encoded(claims);
        return signed + '.' + signature(signed);
    }

    /** The grant of a token. Refuses one that this issuer has not signed. */
    Grant read(String token) {
        int end = token.lastIndexOf('.');
        if (end < 0 || !Signatures.same(signature(token.substring(0, end)), token.substring(end + 1))) {
            throw Authority.denied("The token was not signed by the issuer of this broker's test tokens.");
        }
        // A token with this signature was written above, so it has that form.
        String claims = new String(
                Base64.getUrlDecoder().decode(token.substring(HEADER.length() + 1, end)), StandardCharsets.UTF_8);
        Set<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        for (AccessRight right : AccessRight.values()) {
            if (claims.contains('"' + right.role() + '"')) {
                rights.add(right);
            }
        }
        return new Grant(found(SCOPE, claims), rights, Long.parseLong(found(END, claims)));
    }

    private static String found(Pattern pattern, String claims) {
        Matcher matcher = pattern.matcher(claims);
        if (!matcher.find()) {
            throw new IllegalStateException("A token of this issuer lacks " + pattern);
        }
        return matcher.group(1);
    }

    private String signature(String signed) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Signatures.of(key, signed));
    }

    private static String encoded(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
