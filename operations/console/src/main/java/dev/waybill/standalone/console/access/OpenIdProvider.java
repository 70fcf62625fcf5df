package dev.waybill.standalone.console.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.waybill.standalone.config.ConsoleSettings.OpenId;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A provider of OpenID Connect. Metadata and keys are loaded when needed. Thread-safe. */
final class OpenIdProvider {
    private static final int CONNECT_MILLIS = 3_000;
    private static final int READ_MILLIS = 5_000;
    private static final int MOST_BYTES = 1 << 18;
    private static final long KNOWN_FOR_NANOS = Duration.ofHours(1).toNanos();
    private static final int CLOCK_SKEW_SECONDS = 60;
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384);

    private final OpenId settings;
    private final ClientID client;
    private @Nullable Known known;

    OpenIdProvider(OpenId settings) {
        this.settings = settings;
        this.client = new ClientID(settings.clientId());
    }

    private record Known(OIDCProviderMetadata metadata, IDTokenValidator validator, long since) {}

    /** The secrets of one sign-in, known only to its browser. */
    record Flow(String state, String nonce, String verifier) {
        static Flow of(String secret) {
            return new Flow(part("state", secret), part("nonce", secret), part("verifier", secret));
        }

        private static String part(String purpose, String secret) {
            return Secrets.text(Secrets.digest("openid " + purpose, secret));
        }
    }

    /** An authenticated person, with the known values of the role claim as proof. */
    record Named(String name, String proof) {}

    URI address(Flow flow, URI back) throws IOException {
        return new AuthenticationRequest.Builder(
                        ResponseType.CODE, new Scope(settings.claims().scopes().toArray(String[]::new)), client, back)
                .endpointURI(known().metadata.getAuthorizationEndpointURI())
                .state(new State(flow.state))
                .nonce(new Nonce(flow.nonce))
                .codeChallenge(new CodeVerifier(flow.verifier), CodeChallengeMethod.S256)
                .build()
                .toURI();
    }

    /**
     * Exchanges a code for the person.
     *
     * @throws IOException if the provider does not answer
     * @throws Refusal if the answer is invalid
     */
    Named exchange(String code, Flow flow, URI back) throws IOException {
        Known now = known();
        HTTPRequest request = new TokenRequest.Builder(
                        now.metadata.getTokenEndpointURI(),
                        authentication(now.metadata),
                        new AuthorizationCodeGrant(new AuthorizationCode(code), back, new CodeVerifier(flow.verifier)))
                .build()
                .toHTTPRequest();
        request.setConnectTimeout(CONNECT_MILLIS);
        request.setReadTimeout(READ_MILLIS);
        request.setFollowRedirects(false);
        try {
            TokenResponse answer = OIDCTokenResponseParser.parse(request.send());
            if (!answer.indicatesSuccess() || !(answer instanceof OIDCTokenResponse tokens)) {
                throw new Refusal(403, "The provider rejected the code of this sign-in. Start again.");
            }
            @Nullable JWT token = tokens.getOIDCTokens().getIDToken();
            if (token == null) {
                throw new Refusal(403, "The provider named no person.");
            }
            return named(now.validator.validate(token, new Nonce(flow.nonce)));
        } catch (com.nimbusds.oauth2.sdk.ParseException | BadJOSEException | JOSEException e) {
            throw new Refusal(403, "The provider's answer is invalid: " + e.getMessage());
        }
    }

    private ClientAuthentication authentication(OIDCProviderMetadata metadata) {
        var secret = new Secret(settings.clientSecret().text());
        @Nullable List<ClientAuthenticationMethod> ways = metadata.getTokenEndpointAuthMethods();
        return ways == null || ways.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                ? new ClientSecretBasic(client, secret)
                : new ClientSecretPost(client, secret);
    }

    private Named named(IDTokenClaimsSet claims) {
        @Nullable String name = claims.getStringClaim(settings.claims().name());
        if (name == null || !name.matches("[\\p{L}\\p{N}][\\p{L}\\p{N} ._@+'-]{0,99}")) {
            throw new Refusal(403, "The claim " + settings.claims().name() + " of the ID token names nobody.");
        }
        Object roles = claims.getClaim(settings.claims().role());
        Stream<?> values = roles instanceof List<?> list ? list.stream() : Stream.ofNullable(roles);
        var mapped = new TreeSet<String>();
        values.map(String::valueOf).filter(settings.roles()::containsKey).forEach(mapped::add);
        return new Named(name, String.join("\n", mapped));
    }

    /** The current rights for values of the role claim. */
    Rights rights(String proof) {
        return proof.lines()
                .flatMap(value -> settings.roles().getOrDefault(value, List.of()).stream())
                .map(Rights::parse)
                .reduce(Rights.NONE, Rights::and);
    }

    /** Whether the issuer in an answer is this provider (RFC 9207). */
    boolean isIssuer(String issuer) {
        return settings.issuer().toString().equals(issuer);
    }

    private synchronized Known known() throws IOException {
        Known before = known;
        if (before != null && System.nanoTime() - before.since < KNOWN_FOR_NANOS) {
            return before;
        }
        try {
            OIDCProviderMetadata metadata =
                    OIDCProviderMetadata.resolve(new Issuer(settings.issuer()), CONNECT_MILLIS, READ_MILLIS);
            var now = new Known(metadata, validator(metadata), System.nanoTime());
            known = now;
            return now;
        } catch (GeneralException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    // Unknown keys are reloaded a few times a minute at most.
    private IDTokenValidator validator(OIDCProviderMetadata metadata) throws IOException {
        JWKSource<SecurityContext> keys = JWKSourceBuilder.create(
                        metadata.getJWKSetURI().toURL(),
                        new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, MOST_BYTES))
                .retrying(true)
                .build();
        var validator = new IDTokenValidator(
                metadata.getIssuer(), client, new JWSVerificationKeySelector<>(ALGORITHMS, keys), null);
        validator.setMaxClockSkew(CLOCK_SKEW_SECONDS);
        return validator;
    }
}
