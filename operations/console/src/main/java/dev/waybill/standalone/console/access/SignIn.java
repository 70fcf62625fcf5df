package dev.waybill.standalone.console.access;

import dev.waybill.standalone.console.access.Passwords.Verdict;
import dev.waybill.standalone.console.access.UsersFile.User;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pages of sign-in and sign-out. */
public final class SignIn {
    private static final Logger LOG = LoggerFactory.getLogger("dev.waybill.standalone.console");
    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_PASSWORD = 200;

    /** The start-up token has no name. */
    private static final String NO_NAME = "";

    private final Access access;
    private final Render render;
    private final SignInLimits limits = SignInLimits.ofPeople(System::nanoTime);
    private final Passwords passwords = new Passwords();

    @FunctionalInterface
    public interface Render {
        void page(Context request, String template, Map<String, ?> model);
    }

    public SignIn(Access access, Render render) {
        this.access = access;
        this.render = render;
    }

    public void register(Routes routes, io.javalin.Javalin server) {
        routes.open(HandlerType.GET, "/sign-in", request -> show(request, to(request.queryParam("to")), ""));
        routes.open(HandlerType.POST, "/sign-in", this::signIn);
        routes.open(HandlerType.GET, "/start", this::start);
        routes.signedIn("/sign-out", (request, visit) -> {
            access.signOut(request);
            request.redirect("/sign-in", HttpStatus.SEE_OTHER);
        });
        new OpenIdSignIn(access, render).register(routes);
        server.exception(Routes.SignInNeeded.class, (needed, request) -> refer(request, needed));
    }

    // A fragment cannot contain a form, so the browser reloads the page.
    private static void refer(Context request, Routes.SignInNeeded needed) {
        if (request.header("HX-Request") != null) {
            request.status(HttpStatus.UNAUTHORIZED).header("HX-Refresh", "true");
        } else {
            request.redirect(needed.target(), HttpStatus.SEE_OTHER);
        }
    }

    private void show(Context request, String to, String problem) {
        var model = new HashMap<String, Object>();
        model.put("to", to);
        model.put("problem", problem);
        model.put("passwords", access.hasPasswords());
        model.put("openid", access.openId().isPresent());
        model.put("token", access.startToken().isPresent());
        render.page(request, "sign-in", model);
    }

    private void start(Context request) {
        String given = String.valueOf(request.queryParam("token"));
        String address = access.address(request);
        StartToken token = access.startToken().orElseThrow(() -> new Refusal(404, "There is no such page."));
        // The token is random. Failures are not counted, because another site could cause them.
        if (!token.exchange(given)) {
            waitIfNeeded(request, NO_NAME, address);
            failed(NO_NAME, address);
            throw new Refusal(403, "This token is not valid. The log has the current one; each works once.");
        }
        access.signIn(request, access.machineUser(), SignInMethod.TOKEN, Access.NO_PROOF);
        LOG.info("{} signed in to the console by the start-up token, from {}", access.machineUser(), address);
        request.redirect("/", HttpStatus.SEE_OTHER);
    }

    private void signIn(Context request) {
        String name = text(request, "name", LONGEST_NAME);
        String password = text(request, "password", LONGEST_PASSWORD);
        String to = to(request.formParam("to"));
        String address = access.address(request);
        waitIfNeeded(request, name, address);
        Optional<User> user = access.users().flatMap(file -> file.find(name));
        @Nullable String hash = user.map(User::hash).orElse(null);
        Verdict verdict = passwords.verify(password, hash);
        if (verdict == Verdict.BUSY) {
            throw new Refusal(503, "Too many sign-ins are running. Try again.");
        }
        if (verdict == Verdict.WRONG || hash == null) {
            failed(name, address);
            request.status(HttpStatus.UNAUTHORIZED);
            show(request, to, "Name and password do not fit together.");
            return;
        }
        limits.succeeded(name, address);
        access.signIn(request, name, SignInMethod.PASSWORD, Access.proof(hash));
        LOG.info("{} signed in to the console by password, from {}", name, address);
        request.redirect(to.isEmpty() ? "/" : to, HttpStatus.SEE_OTHER);
    }

    private static String text(Context request, String field, int longest) {
        String text = String.valueOf(request.formParam(field));
        return text.length() <= longest ? text : text.substring(0, longest);
    }

    private void waitIfNeeded(Context request, String name, String address) {
        Duration rest = limits.rest(name, address);
        if (!rest.isZero()) {
            long seconds = rest.toSeconds() + 1;
            request.header("Retry-After", Long.toString(seconds));
            throw new Refusal(429, "Too many failed sign-ins. Try again in " + seconds + " s.");
        }
    }

    private void failed(String name, String address) {
        limits.failed(name, address);
        String who = name.equals(NO_NAME) ? "the start-up token" : "'" + printable(name) + "'";
        LOG.warn("Console sign-in failed: {}, from {}", who, address);
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\p{Graph} ]", "?");
    }

    /** A path of this console; empty for other targets. */
    static String to(@Nullable String wanted) {
        if (wanted == null) {
            return "";
        }
        return wanted.matches("/[A-Za-z0-9_-]*(\\?[A-Za-z0-9_.~%&=+*-]*)?") ? wanted : "";
    }
}
