package dev.waybill.standalone.console.access;

import dev.waybill.standalone.console.access.OpenIdProvider.Flow;
import dev.waybill.standalone.console.access.OpenIdProvider.Named;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpStatus;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs people in through a provider. A random cookie binds request and answer to one browser, which prevents login CSRF and
 * needs no server state.
 */
final class OpenIdSignIn {
    private static final Logger LOG = LoggerFactory.getLogger("dev.waybill.standalone.console");
    private static final String COOKIE = "waybill-openid";
    private static final String BACK = "/openid/callback";
    private static final int SECONDS = (int) Duration.ofMinutes(10).toSeconds();
    private static final int LONGEST = 4_000;

    private final Access access;
    private final SignIn.Render render;
    private final ProviderQueue line = new ProviderQueue(System::nanoTime);

    OpenIdSignIn(Access access, SignIn.Render render) {
        this.access = access;
        this.render = render;
    }

    void register(Routes routes) {
        access.openId().ifPresent(provider -> {
            routes.open(HandlerType.GET, "/openid/start", request -> start(request, provider));
            routes.open(HandlerType.GET, BACK, request -> back(request, provider));
        });
    }

    private void start(Context request, OpenIdProvider provider) {
        String secret = Secrets.random();
        String to = SignIn.to(request.queryParam("to"));
        String kept = secret + "." + Secrets.text(to.getBytes(StandardCharsets.UTF_8));
        request.cookie(access.passingCookie(COOKIE, kept, SECONDS));
        String address = line.ask(access.address(request), () -> provider.address(Flow.of(secret), callback(request)))
                .toString();
        request.redirect(address, HttpStatus.SEE_OTHER);
    }

    private URI callback(Context request) {
        return URI.create(access.ownAddress(request) + BACK);
    }

    private void back(Context request, OpenIdProvider provider) {
        String from = access.address(request);
        // Another site can send such answers, so they do not count as failures.
        Begun begun = begun(request, provider);
        try {
            signIn(request, provider, begun, from);
        } catch (Refusal e) {
            if (e.status() == HttpStatus.FORBIDDEN.getCode()) {
                line.refused(from);
            }
            throw e;
        }
    }

    /** A sign-in in progress and its target page. */
    private record Begun(Flow flow, String to) {}

    private Begun begun(Context request, OpenIdProvider provider) {
        Cookie forgotten = access.passingCookie(COOKIE, "", 0);
        @Nullable String kept = request.cookie(forgotten.getName());
        request.cookie(forgotten);
        String[] parts = kept == null ? new String[0] : kept.split("\\.", 2);
        if (parts.length != 2 || !Secrets.isForm(parts[0])) {
            throw new Refusal(403, "This sign-in was not started in this browser, or it has expired. Start again.");
        }
        Flow flow = Flow.of(parts[0]);
        check(request, flow, provider);
        return new Begun(flow, SignIn.to(decoded(parts[1])));
    }

    private void signIn(Context request, OpenIdProvider provider, Begun begun, String from) {
        Named named =
                line.ask(from, () -> provider.exchange(parameter(request, "code"), begun.flow, callback(request)));
        // A code is accepted once, at all replicas, even if the provider allows more.
        if (!access.sessions().useOnce(begun.flow.state(), Duration.ofSeconds(SECONDS))) {
            throw new Refusal(403, "This sign-in was used before. Start again.");
        }
        access.signIn(request, named.name(), SignInMethod.OPENID, named.proof());
        LOG.info("{} signed in to the console by OpenID Connect, from {}", named.name(), from);
        // After a redirect from another site, browsers would withhold the session cookie.
        String target = begun.to.isEmpty() ? "/" : begun.to;
        render.page(request, "signed-in", Map.of("to", target, "refresh", "0; url=" + target));
    }

    private void check(Context request, Flow flow, OpenIdProvider provider) {
        if (!Secrets.areEqual(flow.state(), parameter(request, "state"))) {
            throw new Refusal(403, "This sign-in was started elsewhere. Start again.");
        }
        String issuer = parameter(request, "iss");
        if (!issuer.isEmpty() && !provider.isIssuer(issuer)) {
            throw new Refusal(403, "The answer is of another provider.");
        }
        String code = parameter(request, "code");
        if (code.isEmpty() || code.length() > LONGEST) {
            throw new Refusal(403, "The provider has not signed you in.");
        }
    }

    private static String parameter(Context request, String name) {
        @Nullable String value = request.queryParam(name);
        return value == null ? "" : value;
    }

    private static String decoded(String text) {
        try {
            return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
