package dev.waybill.standalone.console.api;

import dev.waybill.deadletter.CollectorStatus;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.OverviewCache;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.AlarmCauses;
import dev.waybill.standalone.database.ConsumerView;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.Flow;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.RelayView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The databases of a program and the status of each outbox. */
final class StatusApi {
    private final Databases databases;
    private final OverviewCache outlooks;

    StatusApi(Databases databases, OverviewCache outlooks) {
        this.databases = databases;
        this.outlooks = outlooks;
    }

    void register(ApiRoutes routes) {
        routes.any("/databases", this::list);
        routes.get("/status", this::status);
    }

    private void list(Context request, SignedInRequest visit) {
        Json.answer(
                request,
                Json.row(
                        "databases",
                        databases.of(visit.person()).stream()
                                .map(each -> Json.row(
                                        "name",
                                        each.name(),
                                        "role",
                                        visit.person().rights().in(each.name())))
                                .toList()));
    }

    private void status(Context request, SignedInRequest visit, Database database) {
        OverviewCache.Seen seen = outlooks.of(List.of(database)).get(0);
        @Nullable Overview overview = seen.overview();
        if (overview == null) {
            throw new Refusal(503, seen.problem());
        }
        Json.answer(
                request,
                Json.row(
                        "database",
                        database.name(),
                        "scheduled",
                        overview.status().scheduled(),
                        "destinations",
                        overview.status().destinations().stream()
                                .map(each -> destination(each, overview.flow(each)))
                                .toList(),
                        "alarms",
                        AlarmCauses.of(overview.status().alarms()).stream()
                                .map(StatusApi::alarm)
                                .toList(),
                        "relays",
                        overview.status().relays().stream()
                                .map(StatusApi::relay)
                                .toList(),
                        "deadLetters",
                        overview.deadLetters().stream().map(StatusApi::letters).toList(),
                        "collectors",
                        overview.collectors().stream().map(StatusApi::collector).toList(),
                        "consumers",
                        overview.consumers().stream().map(StatusApi::consumer).toList()));
    }

    static Map<String, @Nullable Object> destination(DestinationView view, Flow flow) {
        Flow.Outlook outlook = flow.outlook(view);
        return Json.row(
                "destination", view.name(),
                "pending", view.pending(),
                "oldestSeconds", Math.round(view.oldestAgeSeconds()),
                "holds", view.held().sessions(),
                "heldMessages", view.held().messages(),
                "paused", view.paused(),
                "refused", view.refused(),
                "publishedPerSecond", flow.published(),
                "backlog", outlook.word(),
                "etaSeconds", outlook.left().map(Duration::toSeconds));
    }

    private static Map<String, @Nullable Object> alarm(Alarm alarm) {
        return Json.row(
                "alarm", alarm.name(),
                "severity", alarm.severity(),
                "destination", alarm.destination(),
                "detail", alarm.detail());
    }

    private static Map<String, @Nullable Object> relay(RelayView relay) {
        return Json.row(
                "relay", relay.name(),
                "alive", relay.alive(),
                "destinations", relay.destinations(),
                "startedAt", relay.startedAt(),
                "aliveUntil", relay.aliveUntil());
    }

    private static Map<String, @Nullable Object> letters(Overview.DeadLetterCount count) {
        return Json.row(
                "entity", count.entity(),
                "state", count.state(),
                "count", count.count(),
                "oldestSeconds", Math.round(count.oldestSeconds()));
    }

    private static Map<String, @Nullable Object> collector(CollectorStatus collector) {
        return Json.row(
                "entity", collector.entity().path(),
                "alive", collector.alive(),
                "collected", collector.collected(),
                "behindSeconds", collector.behind().toSeconds());
    }

    private static Map<String, @Nullable Object> consumer(ConsumerView consumer) {
        return Json.row(
                "consumer", consumer.name(),
                "instances", consumer.instances(),
                "lastAlive", consumer.lastAlive(),
                "holds", consumer.held().holds(),
                "parked", consumer.held().parked(),
                "deferred", consumer.held().deferrals(),
                "forgottenDeferrals", consumer.held().forgotten());
    }
}
