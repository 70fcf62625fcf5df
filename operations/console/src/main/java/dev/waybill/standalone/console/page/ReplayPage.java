package dev.waybill.standalone.console.page;

import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.FormTimes;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.database.ReplayReader;
import dev.waybill.standalone.replay.ReplaySelection;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Lists, starts, resumes and abandons replays. */
final class ReplayPage {
    private static final int ROWS = 50;

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

    private void list(Context request, SignedInRequest visit, Database database) {
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

    private void plan(Context request, SignedInRequest visit, Database database) {
        var requests = new ReplayRequests(database);
        ReplaySelection selection = requests.selection(
                Forms.parameter(request, "destination"),
                Forms.parameter(request, "session"),
                Forms.parameter(request, "from"),
                Forms.parameter(request, "until"));
        render.page(
                request,
                "replay-plan",
                Map.of(
                        "selection",
                        selection,
                        "until",
                        selection.until().orElseThrow(),
                        "count",
                        requests.count(selection)));
    }

    // Many messages are published again, so a person types their number.
    private void start(Context request, SignedInRequest visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        var requests = new ReplayRequests(database);
        String until = Forms.field(request, "until");
        ReplaySelection selection = requests.selection(
                Forms.field(request, "destination"),
                Forms.field(request, "session"),
                Forms.field(request, "from"),
                FormTimes.of(until, "until").toString());
        long seen = Forms.number(Forms.field(request, "seen"));
        if (seen != Forms.number(Forms.field(request, "typed").strip())) {
            throw new Refusal(400, "Nothing was started: the typed number is not the number of messages.");
        }
        boolean begun = requests.begin(selection, seen, instruction).isPresent();
        back(request, database, begun ? "replay-begun" : "replay-changed");
    }

    private void resume(Context request, SignedInRequest visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        boolean open = new ReplayRequests(database).resume(run(request), instruction);
        back(request, database, open ? "replay-goes-on" : "replay-over");
    }

    private void abandon(Context request, SignedInRequest visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        boolean ended = new ReplayRequests(database).abandon(run(request), instruction);
        back(request, database, ended ? "replay-abandoned" : "replay-over");
    }

    private static UUID run(Context request) {
        try {
            return UUID.fromString(Forms.field(request, "run"));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "This is no replay.");
        }
    }

    private static void back(Context request, Database database, String done) {
        request.redirect("/replay?db=" + Formats.INSTANCE.url(database.name()) + "&done=" + done, HttpStatus.SEE_OTHER);
    }
}
