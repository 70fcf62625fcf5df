package dev.waybill.servicebus.embedded.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.TestTokens;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import reactor.core.publisher.Mono;

/**
 * Presents test tokens in place of Microsoft Entra's. Immutable and thread-safe.
 *
 * <pre>{@code
 * new ServiceBusClientBuilder()
 *         .credential("localhost", TestTokenCredential.of(tokens, AccessRight.SEND))
 *         .customEndpointAddress("https://localhost:" + bus.port())
 * }</pre>
 */
public final class TestTokenCredential implements TokenCredential {
    private static final Duration LIFE = Duration.ofHours(1);

    private final TestTokens tokens;
    private final Duration life;
    private final AccessRight[] rights;

    private TestTokenCredential(TestTokens tokens, Duration life, AccessRight[] rights) {
        this.tokens = tokens;
        this.life = life;
        this.rights = rights.clone();
    }

    /** Presents this issuer's tokens with these rights, for the whole namespace and one hour each. */
    public static TestTokenCredential of(TestTokens tokens, AccessRight... rights) {
        return of(tokens, LIFE, rights);
    }

    /** {@link #of(TestTokens, AccessRight...)} with another lifetime. */
    public static TestTokenCredential of(TestTokens tokens, Duration life, AccessRight... rights) {
        return new TestTokenCredential(tokens, life, rights);
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext request) {
        return Mono.fromSupplier(() -> getTokenSync(request));
    }

    @Override
    public AccessToken getTokenSync(TokenRequestContext request) {
        return new AccessToken(
                tokens.issue(life, rights), OffsetDateTime.now(ZoneOffset.UTC).plus(life));
    }
}
