package dev.waybill.servicebus.embedded.security;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides what tokens are worth. Without keys and test tokens every client may do everything. Immutable. */
public final class Authority {
    private static final String SAS = "SharedAccessSignature ";
    private static final String BEARER = "Bearer ";

    private final SasKeys keys;
    private final @Nullable TestTokens tokens;
    private final boolean open;

    /** Knows these keys, by the names of their rules, and the test tokens of one issuer, if any. */
    public Authority(Map<String, AccessKey> keys, @Nullable TestTokens tokens) {
        this.keys = new SasKeys(keys);
        this.tokens = tokens;
        this.open = keys.isEmpty() && tokens == null;
    }

    /** Whether every client may do everything. */
    public boolean open() {
        return open;
    }

    /**
     * The grant of a token: a shared access signature or a test token, perhaps as the value of an HTTP header.
     *
     * @throws Refused if it is neither, or not signed by somebody known, or has expired
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

    /** The refusal of a client, for this reason. */
    public static Refused denied(String why) {
        return new Refused(BrokerError.UNAUTHORIZED, "Unauthorized access. " + why);
    }

    /** The refusal of a client that has no token with this right for this path. */
    public static Refused lacking(AccessRight right, String path) {
        return denied("'" + right.claim()
                + "' claim(s) are required to perform this operation. Resource: 'sb://localhost/" + path + "'.");
    }
}
