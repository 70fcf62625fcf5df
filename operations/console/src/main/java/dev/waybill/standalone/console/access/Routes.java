package dev.waybill.standalone.console.access;

import dev.waybill.standalone.console.view.Assets;
import dev.waybill.standalone.console.view.Assets.Asset;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of the console, each with the role that it needs. */
public final class Routes {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
    private static final int MOST_UPLOADS = 2;

    private final Javalin server;
    private final Access access;
    private final Databases databases;
    private final Semaphore uploads = new Semaphore(MOST_UPLOADS);

    /** Routes must be registered before the server starts. */
    public Routes(Javalin server, Access access, Databases databases) {
        this.server = server;
        this.access = access;
        this.databases = databases;
    }

    public void assets(Assets assets) {
        assets.paths()
                .values()
                .forEach(path -> server.get(path, request -> {
                    Asset asset = assets.find(path).orElseThrow();
                    request.contentType(asset.type())
                            .header("Cache-Control", "public, max-age=31536000, immutable")
                            .result(asset.bytes());
                }));
    }

    /** A public file that may change with the version. */
    public void file(String path, String type, byte[] content) {
        server.get(path, request -> request.contentType(type).result(content));
    }

    /** A page for people with the role in some database. */
    public void people(String path, ConsoleRole needed, PageHandler page) {
        server.get(path, request -> page.answer(request, someone(request, needed)));
    }

    /** A change that needs the role in all databases. */
    public void changeOfAll(String path, ConsoleRole needed, PageHandler page) {
        server.post(path, request -> {
            SignedInRequest visit = visit(request);
            if (!visit.person().rights().allowsEverywhere(needed)) {
                throw forbidden(needed);
            }
            page.answer(request, proved(request, visit));
        });
    }

    /** A page about the database in parameter {@code db}. */
    public void page(String path, ConsoleRole needed, PageHandler.OfDatabase page) {
        server.get(path, request -> {
            SignedInRequest visit = visit(request);
            page.answer(request, visit, database(request, visit, needed));
        });
    }

    /** A change in the database in parameter {@code db}. */
    public void change(String path, ConsoleRole needed, PageHandler.OfDatabase page) {
        server.post(path, request -> {
            SignedInRequest visit = visit(request);
            Database database = database(request, visit, needed);
            page.answer(request, proved(request, visit), database);
        });
    }

    /** A change with a file; limited, because each upload is in memory. */
    public void upload(String path, ConsoleRole needed, PageHandler.OfDatabase page) {
        server.post(path, request -> {
            SignedInRequest visit = visit(request);
            Database database = database(request, visit, needed);
            if (!uploads.tryAcquire()) {
                throw new Refusal(503, "Other uploads are running. Try again.");
            }
            try {
                read(request);
                page.answer(request, proved(request, visit), database);
            } finally {
                uploads.release();
            }
        });
    }

    private static void read(Context request) {
        try {
            request.formParamMap();
        } catch (Exception e) {
            LOG.debug("An upload could not be parsed", e);
            throw new Refusal(400, "The upload could not be parsed.");
        }
    }

    void open(HandlerType method, String path, io.javalin.http.Handler handler) {
        server.addHttpHandler(method, path, handler);
    }

    void signedIn(String path, PageHandler page) {
        server.post(path, request -> page.answer(request, proved(request, visit(request))));
    }

    private SignedInRequest someone(Context request, ConsoleRole needed) {
        SignedInRequest visit = visit(request);
        if (!visit.person().rights().allowsSomewhere(needed)) {
            throw forbidden(needed);
        }
        return visit;
    }

    private SignedInRequest visit(Context request) {
        boolean byItself = request.path().startsWith("/parts/");
        SignedInRequest visit = access.visit(request, !byItself).orElseThrow(() -> new SignInNeeded(address(request)));
        request.attribute(SignedInRequest.ATTRIBUTE, visit);
        return visit;
    }

    /** The signed-in person, for an answer that needs no sign-in. */
    public static Optional<SignedInRequest> known(Context request) {
        @Nullable SignedInRequest visit = request.attribute(SignedInRequest.ATTRIBUTE);
        return Optional.ofNullable(visit);
    }

    private Database database(Context request, SignedInRequest visit, ConsoleRole needed) {
        String name = Optional.ofNullable(request.queryParam("db")).orElse("");
        Rights rights = visit.person().rights();
        Database database = databases
                .find(name)
                .filter(each -> rights.allows(ConsoleRole.VIEWER, name))
                .orElseThrow(() -> new Refusal(404, "There is no database of this name that you may look at."));
        if (!rights.allows(needed, name)) {
            throw forbidden(needed);
        }
        request.attribute(Database.ATTRIBUTE, database);
        return database;
    }

    private static Refusal forbidden(ConsoleRole needed) {
        return new Refusal(403, "That takes the role " + needed.word() + ".");
    }

    private static SignedInRequest proved(Context request, SignedInRequest visit) {
        if (!Secrets.areEqual(visit.csrf(), String.valueOf(request.formParam("csrf")))) {
            throw new Refusal(
                    403,
                    "The form is of an earlier session, or not of this console. Go back, load the page again, and repeat it.");
        }
        return visit;
    }

    private static String address(Context request) {
        if (request.method() != HandlerType.GET || request.path().startsWith("/parts/")) {
            return "";
        }
        @Nullable String query = request.queryString();
        return request.path() + (query == null ? "" : "?" + query);
    }

    static final class SignInNeeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String wanted;

        SignInNeeded(String wanted) {
            super("Sign in", null, false, false);
            this.wanted = wanted;
        }

        String target() {
            boolean plain = wanted.isEmpty() || wanted.equals("/");
            return "/sign-in" + (plain ? "" : "?to=" + URLEncoder.encode(wanted, StandardCharsets.UTF_8));
        }
    }
}
