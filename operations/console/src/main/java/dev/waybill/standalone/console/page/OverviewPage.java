package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.CollectorStatus;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.AlarmCauses;
import dev.waybill.standalone.database.ConsumerView;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.RelayView;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** All databases of a person: backlogs, relays and alarms. */
final class OverviewPage {
    private final SignIn.Render render;
    private final OverviewCache outlooks;
    private final Databases databases;
    private final DestinationEntities entities;

    OverviewPage(SignIn.Render render, OverviewCache outlooks, Databases databases, Configuration configuration) {
        this.render = render;
        this.outlooks = outlooks;
        this.databases = databases;
        this.entities = new DestinationEntities(configuration);
    }

    void register(Routes routes) {
        routes.people("/", ConsoleRole.VIEWER, (request, visit) -> show(request, visit, "overview"));
        routes.people("/parts/overview", ConsoleRole.VIEWER, (request, visit) -> show(request, visit, "overview-part"));
    }

    record Finding(Alarm alarm, String advice) {
        static List<Finding> of(List<Alarm> alarms) {
            return AlarmCauses.of(alarms).stream()
                    .map(alarm -> new Finding(alarm, AlarmAdvice.on(alarm.name())))
                    .toList();
        }
    }

    /** A database, or why it is unreadable. */
    record Outbox(
            String name, String problem, List<DestinationRow> destinations, List<Finding> findings, Around around) {
        static Outbox of(OverviewCache.Seen seen, DestinationEntities entities) {
            String name = seen.database().name();
            Overview overview = seen.overview();
            return overview == null
                    ? new Outbox(name, seen.problem(), List.of(), List.of(), Around.NOTHING)
                    : new Outbox(
                            name,
                            "",
                            DestinationRow.of(seen, overview, entities),
                            Finding.of(overview.status().alarms()),
                            Around.of(overview));
        }
    }

    record Around(
            List<RelayView> relays,
            long ended,
            long scheduled,
            List<CollectorStatus> collectors,
            List<ConsumerView> consumers) {
        static final Around NOTHING = new Around(List.of(), 0, 0, List.of(), List.of());

        static Around of(Overview overview) {
            List<RelayView> relays = overview.status().relays();
            List<RelayView> alive = relays.stream().filter(RelayView::alive).toList();
            return new Around(
                    alive,
                    relays.size() - (long) alive.size(),
                    overview.status().scheduled(),
                    overview.collectors(),
                    overview.consumers());
        }
    }

    private void show(Context request, SignedInRequest visit, String template) {
        List<Outbox> outboxes = outlooks.of(databases.of(visit.person())).stream()
                .map(seen -> Outbox.of(seen, entities))
                .toList();
        boolean live = !"off".equals(request.queryParam("live"));
        render.page(request, template, Map.of("outboxes", outboxes, "live", live));
    }
}
