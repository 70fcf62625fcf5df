package dev.waybill.standalone.console.access;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates programs by token. A valid token always succeeds; failures are logged and delay their address increasingly.
 * Thread-safe.
 */
final class ProgramSignIn {
    private static final Logger LOG = LoggerFactory.getLogger("dev.waybill.standalone.console");
    private static final String BEARER = "Bearer ";

    private final Optional<TokensFile> tokens;
    private final SignInLimits limits;

    ProgramSignIn(Optional<TokensFile> tokens, LongSupplier nanos) {
        this.tokens = tokens;
        this.limits = SignInLimits.ofAddresses(nanos);
    }

    /**
     * The program of a request; cookies and proxy headers are ignored.
     *
     * @throws Refusal without a valid token
     */
    Person program(Context request, String address) {
        @Nullable String shown = request.header("Authorization");
        if (shown == null) {
            throw unknown(request);
        }
        // Scheme names are case-insensitive (RFC 9110).
        boolean bearer = shown.regionMatches(true, 0, BEARER, 0, BEARER.length());
        TokensFile.Found found = bearer && tokens.isPresent()
                ? tokens.get().find(shown.substring(BEARER.length()))
                : TokensFile.Found.nobody("no token of console.tokens-file");
        if (found.person().isPresent()) {
            return found.person().get();
        }
        Duration rest = limits.rest(address);
        if (!rest.isZero()) {
            long seconds = rest.toSeconds() + 1;
            request.header("Retry-After", Long.toString(seconds));
            throw new Refusal(429, "Too many invalid tokens. Try again in " + seconds + " s.");
        }
        limits.failed(address);
        LOG.warn("API request rejected: {}, from {}", found.why(), address);
        throw unknown(request);
    }

    private static Refusal unknown(Context request) {
        request.header("WWW-Authenticate", "Bearer");
        return new Refusal(401, "Send a valid token of console.tokens-file: Authorization: Bearer waybill_…");
    }
}
