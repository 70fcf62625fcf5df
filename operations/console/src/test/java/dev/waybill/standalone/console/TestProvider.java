package dev.waybill.standalone.console;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An OpenID provider that signs in whom a test says, and lies as the test says. */
final class TestProvider implements AutoCloseable {
    static final String CLIENT = "waybill-console";
    static final String SECRET = "the secret of the console";

    private final Javalin server;
    private final Map<String, Asked> codes = new ConcurrentHashMap<>();

    /** Changes the claims of the next tokens. */
    volatile UnaryOperator<JWTClaimsSet.Builder> lie = claims -> claims;

    volatile List<String> roles = List.of("waybill-ops");
    volatile boolean unsigned;

    /** Whether it takes a code again and again, which it must not. */
    volatile boolean careless;

    /** Made once: it takes longer than most sign-ins. */
    private static final RSAKey FIRST = key();

    private volatile RSAKey key = FIRST;
    private volatile RSAKey shown = key;

    private record Asked(String nonce, String challenge, String back) {}

    private TestProvider() {
        server = Javalin.create(config -> {
            config.showJavalinBanner = false;
            config.startupWatcherEnabled = false;
        });
        server.get("/.well-known/openid-configuration", this::describe);
        server.get("/authorize", this::authorize);
        server.post("/token", this::token);
        server.get(
                "/keys",
                request -> request.contentType("application/json").result(new JWKSet(shown.toPublicJWK()).toString()));
        server.start("localhost", 0);
    }

    static TestProvider start() {
        return new TestProvider();
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Another site than 127.0.0.1. */
    String issuer() {
        return "http://localhost:" + server.port();
    }

    void rotateKeys() {
        key = key();
        shown = key;
    }

    void signWithAKeyThatIsNotShown() {
        key = key();
    }

    private void describe(Context request) {
        request.contentType("application/json").result("""
                {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token",
                 "jwks_uri":"%1$s/keys","response_types_supported":["code"],"subject_types_supported":["public"],
                 "id_token_signing_alg_values_supported":["RS256"]}""".formatted(issuer()));
    }

    private void authorize(Context request) {
        String code = UUID.randomUUID().toString();
        String back = String.valueOf(request.queryParam("redirect_uri"));
        codes.put(
                code,
                new Asked(
                        String.valueOf(request.queryParam("nonce")),
                        String.valueOf(request.queryParam("code_challenge")),
                        back));
        request.redirect(back + "?code=" + code + "&iss=" + URLEncoder.encode(issuer(), StandardCharsets.UTF_8)
                + "&state=" + request.queryParam("state"));
    }

    private void token(Context request) throws JOSEException {
        String code = String.valueOf(request.formParam("code"));
        @Nullable Asked asked = careless ? codes.get(code) : codes.remove(code);
        request.contentType("application/json");
        if (asked == null || !isRight(request, asked)) {
            request.status(400).result("{\"error\":\"invalid_grant\"}");
            return;
        }
        request.result(
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"id_token\":\"" + signed(asked.nonce) + "\"}");
    }

    private static boolean isRight(Context request, Asked asked) {
        var basic = request.basicAuthCredentials();
        return basic != null
                && basic.getUsername().equals(CLIENT)
                && basic.getPassword().equals(URLEncoder.encode(SECRET, StandardCharsets.UTF_8))
                && challenge(String.valueOf(request.formParam("code_verifier"))).equals(asked.challenge)
                && asked.back.equals(request.formParam("redirect_uri"));
    }

    private String signed(String nonce) throws JOSEException {
        Instant now = InstantSource.system().instant();
        var claims = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("4711")
                .audience(CLIENT)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)))
                .claim("nonce", nonce)
                .claim("preferred_username", "nora@example.org")
                .claim("roles", roles);
        JWTClaimsSet told = lie.apply(claims).build();
        if (unsigned) {
            return new PlainJWT(told).serialize();
        }
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(), told);
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
