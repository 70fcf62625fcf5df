package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.ConsoleSettings;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The checks of every request, before anybody asks whose it is, and the headers of every answer. Immutable. */
public final class Gate {
    private static final Pattern HOST = Pattern.compile("([a-z0-9.-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");
    private static final Pattern PATH = Pattern.compile("/|(/[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*)+");
    private static final String FORM = "application/x-www-form-urlencoded";

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final ConsoleSettings.Place place;

    /** The gate of a console. */
    public Gate(ConsoleSettings.Place place) {
        this.place = place;
    }

    /** The headers that no answer goes without. */
    public static void secure(Context answer) {
        answer.header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Referrer-Policy", "same-origin")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
                .header("Cache-Control", "no-store");
    }

    /**
     * Lets a request in.
     *
     * @throws Refusal if it cannot come from a browser that shows this console
     */
    public void pass(Context request) {
        secure(request);
        // The server would take the header for the method.
        if (request.header("X-HTTP-Method-Override") != null) {
            throw new Refusal(400, "A request is what its first line says.");
        }
        HandlerType method = request.method();
        if (!Set.of(HandlerType.GET, HandlerType.HEAD, HandlerType.POST).contains(method)) {
            request.header("Allow", "GET, HEAD, POST");
            throw new Refusal(405, "There is GET, HEAD and POST.");
        }
        String host = host(request);
        if (!PATH.matcher(request.req().getRequestURI()).matches()) {
            throw new Refusal(404, "There is no such page.");
        }
        if (request.queryParamMap().values().stream().anyMatch(values -> values.size() > 1)) {
            throw new Refusal(400, "A parameter stands twice in the address.");
        }
        if (method == HandlerType.POST && ApiRoutes.isOfPrograms(request)) {
            json(request);
        } else if (method == HandlerType.POST) {
            post(request, host);
        }
    }

    // A name that resolves to this machine is not enough: a stranger's page can have one.
    private String host(Context request) {
        List<String> hosts = Collections.list(request.req().getHeaders("Host"));
        String host = hosts.size() == 1 ? hosts.get(0).toLowerCase(Locale.ROOT) : "";
        Matcher parts = HOST.matcher(host);
        if (!parts.matches() || !place.hosts().contains(parts.group(1))) {
            throw new Refusal(421, "The console is not served under this name; see console.hosts.");
        }
        return host;
    }

    // No browser sends a program's token by itself, so it does not matter where the request comes from.
    private static void json(Context request) {
        String type = String.valueOf(request.contentType()).split(";", 2)[0].strip();
        if (!type.equalsIgnoreCase("application/json")) {
            throw new Refusal(415, "A change is sent as application/json.");
        }
    }

    private void post(Context request, String host) {
        @Nullable String origin = request.header("Origin");
        boolean ours = origin == null
                ? "same-origin".equals(request.header("Sec-Fetch-Site"))
                : origin.equals((place.https() ? "https://" : "http://") + host);
        if (!ours) {
            throw new Refusal(403, "The form was sent from another site.");
        }
        String type = String.valueOf(request.contentType()).split(";", 2)[0].strip();
        if (!type.equalsIgnoreCase(FORM)) {
            throw new Refusal(415, "A change is sent as a form.");
        }
    }
}
