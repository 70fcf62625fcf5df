package dev.waybill.standalone.console.page;

import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.KnownDestinations;
import dev.waybill.standalone.database.LoopReader;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.RelayLoop;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** One destination: its backlog, its relay, and pause or resume. */
final class DestinationPage {

    private final SignIn.Render render;
    private final OverviewCache outlooks;
    private final DestinationEntities entities;

    DestinationPage(SignIn.Render render, OverviewCache outlooks, Configuration configuration) {
        this.render = render;
        this.outlooks = outlooks;
        this.entities = new DestinationEntities(configuration);
    }

    void register(Routes routes) {
        routes.page("/destination", ConsoleRole.VIEWER, this::show);
        routes.change("/destination/pause", ConsoleRole.OPERATOR, this::pause);
        routes.change("/destination/resume", ConsoleRole.OPERATOR, this::resume);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        String name = known(Forms.parameter(request, "name"), database);
        OverviewCache.Seen seen = outlooks.of(List.of(database)).get(0);
        if (seen.overview() == null) {
            throw new Refusal(503, seen.problem());
        }
        Overview overview = seen.overview();
        List<RelayLoop> loops = new LoopReader(database.viewers(), database.schema()).read(name);
        Optional<Destinations.Pause> pause =
                Destinations.of(database.viewers(), database.schema()).pauseOf(name);
        var model = new HashMap<String, Object>(Map.of(
                "name",
                name,
                "entity",
                entities.path(name),
                "row",
                DestinationRow.of(view(overview, name), seen, overview, entities),
                "loops",
                loops,
                "unowned",
                !loops.isEmpty() && loops.stream().noneMatch(RelayLoop::owner),
                "findings",
                findings(overview, name)));
        model.put("pause", pause);
        model.put("seen", pause.map(DestinationPage::mark).orElse(""));
        model.put("mayAct", visit.person().rights().allows(ConsoleRole.OPERATOR, database.name()));
        render.page(request, "destination", model);
    }

    // Reads the current state, because the cached overview may precede the person's change.
    private static DestinationView view(Overview overview, String name) {
        return overview.status().destinations().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(new DestinationView(
                        name, 0, 0, new DestinationView.Held(0, 0), Optional.empty(), Optional.empty()));
    }

    private static List<OverviewPage.Finding> findings(Overview overview, String name) {
        return OverviewPage.Finding.of(overview.status().alarms().stream()
                .filter(alarm -> alarm.destination().map(name::equals).orElse(true))
                .filter(alarm -> !alarm.name().equals("paused"))
                .toList());
    }

    private void pause(Context request, SignedInRequest visit, Database database) {
        String name = known(Forms.field(request, "name"), database);
        AuditContext instruction = Forms.instruction(request, visit);
        boolean first = Destinations.of(database.operators(), database.schema()).pauseUnlessPaused(name, instruction);
        back(request, database, name, first ? "paused" : "already-paused");
    }

    private void resume(Context request, SignedInRequest visit, Database database) {
        String name = known(Forms.field(request, "name"), database);
        AuditContext instruction = Forms.instruction(request, visit);
        String seen = Forms.field(request, "seen");
        var destinations = Destinations.of(database.operators(), database.schema());
        boolean was = destinations
                .pauseOf(name)
                .filter(pause -> mark(pause).equals(seen))
                .filter(pause -> destinations.resume(pause, instruction))
                .isPresent();
        back(request, database, name, was ? "resumed" : "changed");
    }

    // Distinguishes pauses, also by their reason.
    private static String mark(Destinations.Pause pause) {
        return pause.since() + " " + Integer.toHexString(pause.reason().hashCode());
    }

    private static void back(Context request, Database database, String name, String done) {
        String address =
                "/destination?db=" + Formats.INSTANCE.url(database.name()) + "&name=" + Formats.INSTANCE.url(name);
        request.redirect(address + "&done=" + done, HttpStatus.SEE_OTHER);
    }

    private static String known(String name, Database database) {
        try {
            KnownDestinations.require(name, database.settings(), database.viewers());
            return name;
        } catch (NoSuchElementException e) {
            throw new Refusal(404, String.valueOf(e.getMessage()));
        }
    }
}
