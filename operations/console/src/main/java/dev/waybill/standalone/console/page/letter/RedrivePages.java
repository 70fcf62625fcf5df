package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.Redrives;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lists re-drives, and pauses, resumes or abandons them. */
final class RedrivePages {
    private static final int ROWS = 50;

    private final SignIn.Render render;
    private final RedriveRunner work;

    RedrivePages(SignIn.Render render, RedriveRunner work) {
        this.render = render;
        this.work = work;
    }

    void register(Routes routes) {
        routes.page("/redrives", ConsoleRole.VIEWER, this::list);
        routes.page(
                "/redrive",
                ConsoleRole.VIEWER,
                (request, visit, database) -> show(request, visit, database, "redrive"));
        routes.page(
                "/parts/redrive",
                ConsoleRole.VIEWER,
                (request, visit, database) -> show(request, visit, database, "redrive-part"));
        routes.change("/redrive/pause", ConsoleRole.OPERATOR, this::pause);
        routes.change("/redrive/resume", ConsoleRole.OPERATOR, this::resume);
        routes.change("/redrive/abandon", ConsoleRole.OPERATOR, this::abandon);
    }

    private void list(Context request, SignedInRequest visit, Database database) {
        String before = Forms.parameter(request, "before");
        if (!before.matches("[0-9]{0,18}")) {
            throw new Refusal(400, "The parameter before is a number.");
        }
        List<RedriveRun> runs =
                redrives(database).latest(before.isEmpty() ? Long.MAX_VALUE : Long.parseLong(before), ROWS + 1);
        boolean more = runs.size() > ROWS;
        List<Row> rows =
                runs.stream().limit(ROWS).map(run -> row(database, run)).toList();
        render.page(
                request,
                "redrives",
                Map.of("runs", rows, "next", more ? runs.get(ROWS - 1).id() : 0, "first", before.isEmpty()));
    }

    /** A run: whether this process executes it, or why it stopped here. */
    record Row(RedriveRun run, String state, String where, boolean here, String problem) {
        public long id() {
            return run.id();
        }

        /** Progress in percent. */
        public long percent() {
            return run.items() == 0 ? 100 : 100L * run.position() / run.items();
        }

        public boolean isUnderWay() {
            return run.state() == RedriveRun.State.RUNNING || run.state() == RedriveRun.State.PAUSED;
        }

        /** The version that the person saw; progress does not change it. */
        public String seen() {
            return state + (run.state() == RedriveRun.State.PAUSED ? " " + run.position() : "");
        }
    }

    private Row row(Database database, RedriveRun run) {
        RedriveRequest order = run.request();
        return new Row(
                run,
                run.state().name().toLowerCase(Locale.ROOT),
                switch (order.way()) {
                    case SOURCE -> "where they came from";
                    case ENTITY -> order.target().orElse("");
                    case CONSUMER -> "the consumer " + order.target().orElse("");
                },
                work.isAtWork(database, run.id()),
                run.state() == RedriveRun.State.RUNNING ? work.problem(database, run.id()) : "");
    }

    private void show(Context request, SignedInRequest visit, Database database, String template) {
        Row row = found(database, Forms.parameter(request, "id"));
        var model = new HashMap<String, Object>(Map.of("row", row, "id", row.run.id()));
        model.put("live", row.run.state() == RedriveRun.State.RUNNING);
        model.put("mayAct", visit.person().rights().allows(ConsoleRole.OPERATOR, database.name()));
        render.page(request, template, model);
    }

    private void pause(Context request, SignedInRequest visit, Database database) {
        change(request, visit, database, "redrive-paused", (redrives, run, by) -> redrives.pause(run.id(), by));
    }

    private void abandon(Context request, SignedInRequest visit, Database database) {
        change(request, visit, database, "redrive-abandoned", (redrives, run, by) -> redrives.abandon(run.id(), by));
    }

    // A running re-drive may have lost its process; this process continues it without repeating sends.
    private void resume(Context request, SignedInRequest visit, Database database) {
        change(request, visit, database, "redrive-resumed", (redrives, run, by) -> {
            boolean goesOn = run.state() == RedriveRun.State.RUNNING || redrives.resume(run.id(), by);
            if (goesOn) {
                work.take(database, run.id());
            }
            return goesOn;
        });
    }

    /** Changes a run; false if its state has changed. */
    @FunctionalInterface
    private interface Change {
        boolean apply(Redrives redrives, RedriveRun run, AuditContext instruction);
    }

    private void change(Context request, SignedInRequest visit, Database database, String done, Change change) {
        AuditContext instruction = Forms.instruction(request, visit);
        Row row = found(database, Forms.field(request, "id"));
        boolean changed = row.seen().equals(Forms.field(request, "seen"))
                && row.isUnderWay()
                && change.apply(Redrives.in(database.operators(), database.schema()), row.run, instruction);
        request.redirect(
                "/redrive?db=" + Formats.INSTANCE.url(database.name()) + "&id=" + row.run.id() + "&done="
                        + (changed ? done : "redrive-changed"),
                HttpStatus.SEE_OTHER);
    }

    private Row found(Database database, String id) {
        if (!id.matches("[0-9]{1,18}")) {
            throw new Refusal(400, "The id of a re-drive is a number.");
        }
        return redrives(database)
                .show(Long.parseLong(id))
                .map(run -> row(database, run))
                .orElseThrow(() -> new Refusal(404, "There is no re-drive " + id + "."));
    }

    private static Redrives redrives(Database database) {
        return Redrives.in(database.viewers(), database.schema());
    }
}
