package dev.waybill.walletforge.demo.serve;

import dev.waybill.walletforge.installation.Json;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The page and what it asks for. Requests under a foreign name, and buttons on foreign pages, are refused. */
final class LivePage {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final LiveFigures figures;
    private final Disasters disasters;
    private final Traffic traffic;
    private final Optional<String> console;

    LivePage(LiveFigures figures, Disasters disasters, Traffic traffic, Optional<String> console) {
        this.figures = figures;
        this.disasters = disasters;
        this.traffic = traffic;
        this.console = console;
    }

    void addTo(Javalin server) {
        server.before(LivePage::requireOwnName)
                .get("/", http -> resource(http, "page.html", "text/html; charset=utf-8"))
                .get("/page.js", http -> resource(http, "page.js", "text/javascript; charset=utf-8"))
                .get("/page.css", http -> resource(http, "page.css", "text/css; charset=utf-8"))
                .get("/live", this::live)
                .post("/disasters/{name}", this::disaster);
    }

    // A name of another site may resolve to this machine.
    private static void requireOwnName(Context http) {
        String host = String.valueOf(http.header("Host")).toLowerCase(Locale.ROOT);
        if (!host.matches("(127\\.0\\.0\\.1|localhost)(:\\d+)?")) {
            throw new ForbiddenResponse("Not served under this name");
        }
        http.header("X-Content-Type-Options", "nosniff").header("Content-Security-Policy", POLICY);
    }

    private void live(Context http) {
        var live = new LinkedHashMap<String, Object>();
        try {
            live.putAll(figures.read());
            live.put("database", true);
        } catch (SQLException | RuntimeException e) {
            live.put("database", false);
        }
        live.put("refused", traffic.refused());
        live.put("console", console.orElse(""));
        http.contentType("application/json").result(Json.write(live));
    }

    private void disaster(Context http) {
        if (!("http://" + http.header("Host")).equalsIgnoreCase(http.header("Origin"))) {
            throw new ForbiddenResponse("The button is on another site");
        }
        http.status(disasters.begin(http.pathParam("name")) ? 202 : 404)
                .contentType("application/json")
                .result(Json.write(Map.of()));
    }

    private static void resource(Context http, String name, String type) {
        try (InputStream in = LivePage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            http.contentType(type).result(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
