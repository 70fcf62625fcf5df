package dev.waybill.standalone.console;

import dev.waybill.schema.FeatureMissing;
import dev.waybill.standalone.console.access.Access;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.RequestCheck;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.api.Problem;
import dev.waybill.standalone.console.page.Layout;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.InstalledTables;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import java.sql.SQLException;
import java.util.Map;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers failures without stack traces or class names. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final Layout layout;
    private final Access access;

    Failures(Layout layout, Access access) {
        this.layout = layout;
        this.access = access;
    }

    void register(Javalin server) {
        server.exception(Refusal.class, (refusal, request) -> say(request, refusal.status(), text(refusal)));
        server.exception(
                FeatureMissing.class, (missing, request) -> say(request, 503, String.valueOf(missing.getMessage())));
        server.exception(DataAccessException.class, (failure, request) -> database(request, failure));
        server.exception(HttpResponseException.class, (failure, request) -> http(request, failure.getStatus()));
        server.exception(Exception.class, (failure, request) -> {
            LOG.error("Console page failed: {} {}", request.method(), request.path(), failure);
            say(request, 500, "This page failed. The log of the process has the reason.");
        });
    }

    private void http(Context request, int status) {
        String text = switch (status) {
            case 404 -> "There is no such page.";
            case 405 -> "This page is not asked in this way.";
            case 413 -> "That is too long.";
            default -> "This was not understood.";
        };
        say(request, status, text);
    }

    // 22021 is an invalid character such as NUL, 22008 a time out of range, 42501 "insufficient privilege", 57014 a
    // statement
    // timeout.
    private void database(Context request, DataAccessException failure) {
        // Without a sign-in, the answer hides which databases exist.
        if (Routes.known(request).isEmpty()) {
            RuntimeException why = access.explained(failure);
            LOG.warn("Console sessions are unavailable: {}", DatabaseFailure.why(why));
            say(
                    request,
                    503,
                    why == failure
                            ? "The database that keeps the sessions does not answer as it should. The log says why."
                            : "The tables that keep the sessions are of another version than this program reads. The log"
                                    + " says which, and what to do.");
            return;
        }
        @Nullable SQLException cause = failure.getCause(SQLException.class);
        String state = cause == null ? "" : String.valueOf(cause.getSQLState());
        switch (state) {
            case "22021", "22008" ->
                say(request, 400, "A text or a time of the request is none that the database can have.");
            case "42501" ->
                say(
                        request,
                        403,
                        "The database refuses this to the console's role: "
                                + DatabaseFailure.why(failure)
                                + ". Give it the grants of the role readonly or operator, as"
                                + " 'waybill-relay grants print' prints them.");
            case "57014" -> say(request, 503, "The database takes too long for this. Ask for less.");
            default -> unexpected(request, failure);
        }
    }

    private void unexpected(Context request, DataAccessException failure) {
        RuntimeException why = Database.of(request)
                .map(database -> InstalledTables.explained(failure, database.viewers(), database.schema()))
                .orElse(failure);
        LOG.warn("Console page unavailable: {}", DatabaseFailure.why(why));
        say(
                request,
                503,
                why == failure
                        ? "The database does not answer as it should: " + DatabaseFailure.why(failure)
                        : String.valueOf(why.getMessage()));
    }

    private void say(Context request, int status, String text) {
        RequestCheck.secure(request);
        request.status(HttpStatus.forStatus(status));
        if (ApiRoutes.isOfPrograms(request)) {
            Problem.answer(request, status, text);
        } else {
            layout.page(request, "failure", Map.of("status", status, "text", text));
        }
    }

    private static String text(Refusal refusal) {
        String text = refusal.getMessage();
        return text == null ? "" : text;
    }
}
