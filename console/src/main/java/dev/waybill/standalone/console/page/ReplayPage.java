package dev.waybill.standalone.console.page;

import dev.waybill.hold.AuditContext;
import dev.waybill.relay.OutboxReplay;
import dev.waybill.relay.ReplayCount;
import dev.waybill.relay.ReplaySelection;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.Visit;
import dev.waybill.standalone.database.KnownDestinations;
import dev.waybill.standalone.database.ReplayReader;
import dev.waybill.standalone.database.ReplayStart;
import dev.waybill.standalone.log.AuditLog;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Publishing once more what was published: the runs, and the word that one shall begin, go on or end. */
final class ReplayPage {
    private static final int ROWS = 50;

    /** A person waits: what takes longer goes on when it is told to. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final SignIn.Render render;

    ReplayPage(SignIn.Render render) {
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/replay", ConsoleRole.VIEWER, this::list);
        routes.page("/replay/plan", ConsoleRole.OPERATOR, this::plan);
        routes.change("/replay/start", ConsoleRole.OPERATOR, this::start);
        routes.change("/replay/resume", ConsoleRole.OPERATOR, this::resume);
        routes.change("/replay/abandon", ConsoleRole.OPERATOR, this::abandon);
    }

    private void list(Context request, Visit visit, Database database) {
        var runs = new ReplayReader(database.viewers(), database.schema()).newest(ROWS);
        render.page(
                request,
                "replay",
                new HashMap<>(Map.of(
                        "runs",
                        runs.rows(),
                        "more",
                        runs.more(),
                        "mayAct",
                        visit.person().rights().allows(ConsoleRole.OPERATOR, database.name()))));
    }

    private void plan(Context request, Visit visit, Database database) {
        String until = Forms.parameter(request, "until");
        Instant end = until.isEmpty()
                ? new ReplayStart(database.viewers(), database.schema()).now()
                : Moments.of(until, "until");
        ReplaySelection selection = selection(
                known(Forms.parameter(request, "destination").strip(), database),
                Forms.parameter(request, "session"),
                Forms.parameter(request, "from"),
                end);
        ReplayCount count =
                OutboxReplay.of(database.viewers(), database.schema()).count(selection);
        render.page(request, "replay-plan", Map.of("selection", selection, "until", end, "count", count));
    }

    private static ReplaySelection selection(String destination, String session, String from, Instant until) {
        var selection = ReplaySelection.of(destination).until(until);
        selection = session.isBlank() ? selection : selection.ofSession(session.strip());
        return from.isEmpty() ? selection : selection.from(Moments.of(from, "from"));
    }

    // Many messages go out again: a person types how many.
    private void start(Context request, Visit visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        ReplaySelection selection = selection(
                known(Forms.field(request, "destination"), database),
                Forms.field(request, "session"),
                Forms.field(request, "from"),
                Moments.of(Forms.field(request, "until"), "until"));
        long seen = Forms.number(Forms.field(request, "seen"));
        if (seen != Forms.number(Forms.field(request, "typed").strip())) {
            throw new Refusal(400, "Nothing was begun: the number that was typed is not that of the messages.");
        }
        OutboxReplay replay = OutboxReplay.of(database.operators(), database.schema());
        Optional<UUID> run = replay.count(selection).published() > seen
                ? Optional.empty()
                : new ReplayStart(database.operators(), database.schema()).once(selection, instruction);
        run.ifPresent(id -> take(replay, id));
        back(request, database, run.isPresent() ? "replay-begun" : "replay-changed");
    }

    /** Takes steps, each a transaction of its own, for as long as somebody waits for the answer. */
    private static void take(OutboxReplay replay, UUID run) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        int copies;
        do {
            copies = DeadlockRetry.of(() -> replay.step(run));
        } while (copies > 0 && System.nanoTime() - end < 0);
    }

    private void resume(Context request, Visit visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        OutboxReplay replay = OutboxReplay.of(database.operators(), database.schema());
        UUID run = run(request);
        boolean open = replay.open().contains(run);
        if (open) {
            AuditLog.tell(
                    "Replay " + run + " in " + database.settings() + " was told to go on in the console",
                    instruction.operator(),
                    instruction.reason());
            take(replay, run);
        }
        back(request, database, open ? "replay-goes-on" : "replay-over");
    }

    private void abandon(Context request, Visit visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        UUID run = run(request);
        boolean ended = OutboxReplay.of(database.operators(), database.schema()).abandon(run, instruction);
        if (ended) {
            AuditLog.tell(
                    "Replay " + run + " in " + database.settings() + " was abandoned in the console",
                    instruction.operator(),
                    instruction.reason());
        }
        back(request, database, ended ? "replay-abandoned" : "replay-over");
    }

    private static UUID run(Context request) {
        try {
            return UUID.fromString(Forms.field(request, "run"));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "This is no replay.");
        }
    }

    private static String known(String name, Database database) {
        try {
            KnownDestinations.require(name, database.settings(), database.viewers());
            return name;
        } catch (NoSuchElementException e) {
            throw new Refusal(404, String.valueOf(e.getMessage()));
        }
    }

    private static void back(Context request, Database database, String done) {
        request.redirect("/replay?db=" + Shown.INSTANCE.url(database.name()) + "&done=" + done, HttpStatus.SEE_OTHER);
    }
}
