package dev.waybill.standalone.console.access;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the program that shows a token. A token that counts is let in whatever else came from its address; others are
 * told in the log, and rest longer and longer. Thread-safe.
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
     * The program of a request. Cookies and headers of a proxy count for nothing here.
     *
     * @throws Refusal if there is none
     */
    Person program(Context request, String address) {
        @Nullable String shown = request.header("Authorization");
        if (shown == null) {
            throw unknown(request);
        }
        // The name of a scheme is the same in small letters (RFC 9110).
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
            throw new Refusal(429, "Too many tokens that count for nothing. Try again in " + seconds + " s.");
        }
        limits.failed(address);
        LOG.warn("A program was not let in to the API: {}, from {}", found.why(), address);
        throw unknown(request);
    }

    private static Refusal unknown(Context request) {
        request.header("WWW-Authenticate", "Bearer");
        return new Refusal(401, "Show a token of console.tokens-file that counts: Authorization: Bearer waybill_…");
    }
}
