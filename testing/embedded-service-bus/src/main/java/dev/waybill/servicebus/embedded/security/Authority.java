package dev.waybill.servicebus.embedded.security;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates tokens. Without keys and test tokens every client may do everything. Immutable. */
public final class Authority {
    private static final String SAS = "SharedAccessSignature ";
    private static final String BEARER = "Bearer ";

    private final SasKeys keys;
    private final @Nullable TestTokens tokens;
    private final boolean open;

    /** Keys are given by rule name. */
    public Authority(Map<String, AccessKey> keys, @Nullable TestTokens tokens) {
        this.keys = new SasKeys(keys);
        this.tokens = tokens;
        this.open = keys.isEmpty() && tokens == null;
    }

    public boolean open() {
        return open;
    }

    /**
     * Validates a shared access signature or test token, also as an HTTP header's value.
     *
     * @throws Refused if the token is malformed, expired, or not signed by a known key or issuer
     */
    public Grant examine(String token, long nowSeconds) {
        Grant grant = read(token);
        if (grant.expiresSeconds() <= nowSeconds) {
            throw denied("The token has expired.");
        }
        return grant;
    }

    private Grant read(String token) {
        if (token.startsWith(SAS)) {
            return keys.read(token.substring(SAS.length()));
        }
        if (tokens == null) {
            throw denied("The token is no shared access signature.");
        }
        return tokens.read(token.startsWith(BEARER) ? token.substring(BEARER.length()) : token);
    }

    public static Refused denied(String why) {
        return new Refused(BrokerError.UNAUTHORIZED, "Unauthorized access. " + why);
    }

    public static Refused lacking(AccessRight right, String path) {
        return denied("'" + right.claim()
                + "' claim(s) are required to perform this operation. Resource: 'sb://localhost/" + path + "'.");
    }
}
