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

/** Checks requests before authentication, and sets security headers. Immutable. */
public final class RequestCheck {
    private static final Pattern HOST = Pattern.compile("([a-z0-9.-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");
    private static final Pattern PATH = Pattern.compile("/|(/[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*)+");
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String FORM_WITH_FILE = "multipart/form-data";
    private static final String LINES = "application/x-ndjson";

    /** The largest upload in bytes, including the form. */
    public static final int LONGEST_FILE = 12 << 20;

    private static final int LONGEST_UPLOAD = LONGEST_FILE + (16 << 10);

    private static final Set<String> UPLOADS = Set.of("/dead-letters/import", "/dead-letters/import/look");

    private static final String UPLOAD_OF_PROGRAMS = "/dead-letters/import";

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final ConsoleSettings.Place place;

    public RequestCheck(ConsoleSettings.Place place) {
        this.place = place;
    }

    /** Sets the headers of every answer. */
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
     * Accepts a request.
     *
     * @throws Refusal if it cannot come from a page of this console
     */
    public void pass(Context request) {
        secure(request);
        // Javalin would treat the header as the method.
        if (request.header("X-HTTP-Method-Override") != null) {
            throw new Refusal(400, "The header X-HTTP-Method-Override is not supported.");
        }
        HandlerType method = request.method();
        if (!Set.of(HandlerType.GET, HandlerType.HEAD, HandlerType.POST).contains(method)) {
            request.header("Allow", "GET, HEAD, POST");
            throw new Refusal(405, "The console supports GET, HEAD and POST.");
        }
        String host = host(request);
        if (!PATH.matcher(request.req().getRequestURI()).matches()) {
            throw new Refusal(404, "There is no such page.");
        }
        if (request.queryParamMap().values().stream().anyMatch(values -> values.size() > 1)) {
            throw new Refusal(400, "A parameter occurs twice in the address.");
        }
        if (method == HandlerType.POST && ApiRoutes.isOfPrograms(request)) {
            json(request);
        } else if (method == HandlerType.POST) {
            post(request, host);
        }
    }

    // Prevents DNS rebinding: a foreign name may resolve to this machine.
    private String host(Context request) {
        List<String> hosts = Collections.list(request.req().getHeaders("Host"));
        String host = hosts.size() == 1 ? hosts.get(0).toLowerCase(Locale.ROOT) : "";
        Matcher parts = HOST.matcher(host);
        if (!parts.matches() || !place.hosts().contains(parts.group(1))) {
            throw new Refusal(421, "The console is not served under this name; see console.hosts.");
        }
        return host;
    }

    // Browsers never attach a token, so the origin does not matter.
    private static void json(Context request) {
        String wanted = request.path().endsWith(UPLOAD_OF_PROGRAMS) ? LINES : "application/json";
        if (!type(request).equalsIgnoreCase(wanted)) {
            throw new Refusal(415, "This is sent as " + wanted + ".");
        }
    }

    private static String type(Context request) {
        return String.valueOf(request.contentType()).split(";", 2)[0].strip();
    }

    private void post(Context request, String host) {
        @Nullable String origin = request.header("Origin");
        boolean ours = origin == null
                ? "same-origin".equals(request.header("Sec-Fetch-Site"))
                : origin.equals((place.https() ? "https://" : "http://") + host);
        if (!ours) {
            throw new Refusal(403, "The form was sent from another site.");
        }
        boolean upload = UPLOADS.contains(request.path());
        if (!type(request).equalsIgnoreCase(upload ? FORM_WITH_FILE : FORM)) {
            throw new Refusal(415, "A change is sent as a form.");
        }
        if (upload) {
            bounded(request);
        }
    }

    // Checks the length before reading the body.
    private static void bounded(Context request) {
        long length = request.req().getContentLengthLong();
        if (length < 0) {
            throw new Refusal(411, "The form has no Content-Length.");
        }
        if (length > LONGEST_UPLOAD) {
            throw new Refusal(413, "A file has at most " + (LONGEST_FILE >> 20) + " MiB here.");
        }
    }
}
