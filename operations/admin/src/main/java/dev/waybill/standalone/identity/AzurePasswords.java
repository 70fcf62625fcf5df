package dev.waybill.standalone.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.http.HttpClient;
import dev.waybill.standalone.config.NamespaceSettings.Identity;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of an Azure identity as passwords of Azure Database for PostgreSQL (Microsoft's page "Use Microsoft Entra ID for
 * authentication with Azure Database for PostgreSQL"). One token serves all connections until shortly before its end.
 */
public final class AzurePasswords implements PasswordSource {
    /** A token lives for an hour or longer; the server judges it when a connection begins. */
    private static final Duration RENEWED_BEFORE_END = Duration.ofMinutes(5);

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(7);

    private final Identity identity;
    private final BiFunction<Optional<String>, HttpClient, TokenCredential> credentials;
    private final InstantSource clock;
    private final Map<SignIn, Tokens> tokens = new ConcurrentHashMap<>();

    public AzurePasswords(Identity identity) {
        this(
                identity,
                (clientId, http) -> Credentials.of(identity, clientId, Optional.of(http)),
                InstantSource.system());
    }

    /** {@code credentials}: makes a credential, without remembered tokens, by a client id. */
    AzurePasswords(
            Identity identity,
            BiFunction<Optional<String>, HttpClient, TokenCredential> credentials,
            InstantSource clock) {
        this.identity = identity;
        this.credentials = credentials;
        this.clock = clock;
    }

    @Override
    public String name() {
        return identity.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public void check(String option, Optional<String> clientId) {
        Credentials.check(option, identity, clientId);
    }

    @Override
    public String password(SignIn signIn) {
        return tokens.computeIfAbsent(signIn, Tokens::new).current();
    }

    @Override
    public void renew(SignIn signIn) {
        tokens.remove(signIn);
    }

    private static String scope(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        String domain = name.endsWith(".chinacloudapi.cn")
                ? "chinacloudapi.cn"
                : name.endsWith(".usgovcloudapi.net") ? "usgovcloudapi.net" : "windows.net";
        return "https://ossrdbms-aad.database." + domain + "/.default";
    }

    /** The token of one sign-in. A credential keeps tokens of its own, so a refused one ends with its credential. */
    private final class Tokens {
        private final TokenRequests requests = new TokenRequests(HttpClient.createDefault());
        private final TokenCredential credential;
        private final TokenRequestContext request;
        private @Nullable AccessToken token;

        Tokens(SignIn signIn) {
            credential = credentials.apply(signIn.clientId(), requests);
            request = new TokenRequestContext().addScopes(scope(signIn.host()));
        }

        synchronized String current() {
            AccessToken last = token;
            if (last == null || endsWithin(last, RENEWED_BEFORE_END)) {
                last = next(last);
                token = last;
            }
            return last.getToken();
        }

        // The server takes the last token to its end, if the service of identities is away.
        private AccessToken next(@Nullable AccessToken last) {
            try {
                return Objects.requireNonNull(
                        credential.getToken(request).block(LONGEST_REQUEST), "the credential has given no token");
            } catch (RuntimeException e) {
                if (last == null || endsWithin(last, Duration.ZERO)) {
                    throw explained(e);
                }
                return last;
            }
        }

        // What the credential itself says of an answer is better than what the network says.
        private RuntimeException explained(RuntimeException e) {
            boolean late = e.getCause() instanceof TimeoutException;
            if (e instanceof ClientAuthenticationException) {
                return e;
            }
            String why = requests.unanswered().orElse(late ? "the credential does not answer" : "");
            return why.isEmpty()
                    ? e
                    : new IllegalStateException(
                            "no token" + (late ? " within " + LONGEST_REQUEST.toSeconds() + " s" : "") + ": " + why);
        }

        private boolean endsWithin(AccessToken last, Duration time) {
            return !last.getExpiresAt().isAfter(clock.instant().plus(time).atOffset(ZoneOffset.UTC));
        }
    }
}
