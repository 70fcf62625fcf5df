package dev.waybill.standalone.cli.status;

import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.deadletter.DeadLetterTables;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.ConsumerView;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.Flow;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.Overview.DeadLetterCount;
import dev.waybill.standalone.database.RelayView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The overview as rows. */
final class StatusRows {
    private StatusRows() {}

    static Map<String, Object> of(RelayView relay) {
        return Output.row(
                "relay", relay.name(),
                "alive", relay.alive(),
                "destinations", relay.destinations(),
                "startedAt", relay.startedAt(),
                "aliveUntil", relay.aliveUntil());
    }

    /** Live relays; without any, the last one of each name. */
    static List<RelayView> worthShowing(List<RelayView> relays) {
        List<RelayView> living = relays.stream().filter(RelayView::alive).toList();
        if (!living.isEmpty()) {
            return living;
        }
        var last = new LinkedHashMap<String, RelayView>();
        relays.forEach(relay -> last.put(relay.name(), relay));
        return List.copyOf(last.values());
    }

    static Map<String, Object> of(DestinationView destination, Flow flow) {
        Flow.Outlook outlook = flow.outlook(destination);
        Map<String, Object> row = basics(destination);
        row.put("publishedPerSecond", rounded(flow.published()));
        row.put("backlog", outlook.word());
        row.put("etaSeconds", outlook.left().map(Duration::toSeconds));
        return row;
    }

    /** Fewer columns for people, and a word for the backlog's forecast. */
    static Map<String, Object> forPeople(DestinationView destination, Flow flow) {
        Map<String, Object> row = Output.row(
                "destination", destination.name(),
                "pending", destination.pending(),
                "oldest", Times.text(Duration.ofSeconds(Math.round(destination.oldestAgeSeconds()))),
                "out/s", rounded(flow.published()),
                "backlog", words(flow.outlook(destination)),
                "holds", destination.held().sessions(),
                "held", destination.held().messages());
        row.put("paused", destination.paused());
        row.put("refused", destination.refused());
        return row;
    }

    private static Map<String, Object> basics(DestinationView destination) {
        return Output.row(
                "destination", destination.name(),
                "pending", destination.pending(),
                "oldestSeconds", Math.round(destination.oldestAgeSeconds()),
                "holds", destination.held().sessions(),
                "heldMessages", destination.held().messages(),
                "paused", destination.paused(),
                "refused", destination.refused());
    }

    private static String words(Flow.Outlook outlook) {
        return outlook.left()
                .map(left -> "done in " + Times.roughly(left))
                .orElse(outlook.word().equals("nothing waits") ? "" : outlook.word());
    }

    // A slow flow is 0.1, never 0.
    private static double rounded(double perSecond) {
        return Math.ceil(perSecond * 10) / 10;
    }

    static Map<String, Object> of(Alarm alarm) {
        return Output.row(
                "alarm", alarm.name(),
                "severity", alarm.severity(),
                "destination", alarm.destination(),
                "detail", alarm.detail());
    }

    static Map<String, Object> of(DeadLetterCount count) {
        return Output.row(
                "entity", count.entity(),
                "state", count.state().toLowerCase(Locale.ROOT),
                "deadLetters", count.count(),
                "oldestSeconds", Math.round(count.oldestSeconds()));
    }

    static Map<String, Object> of(ConsumerView consumer) {
        return Output.row(
                "consumer", consumer.name(),
                "alive", consumer.alive(),
                "instances", consumer.instances(),
                "vanished", consumer.vanished(),
                "lastAlive", consumer.lastAlive(),
                "holds", consumer.held().holds(),
                "parked", consumer.held().parked(),
                "deferred", consumer.held().deferrals(),
                "forgottenDeferrals", consumer.held().forgotten());
    }

    /** The rows by topic. */
    static Map<String, List<Map<String, Object>>> around(Overview overview) {
        var all = new LinkedHashMap<String, List<Map<String, Object>>>();
        all.put(
                "deadLetters",
                overview.deadLetters().stream().map(StatusRows::of).toList());
        all.put(
                "collectors",
                overview.collectors().stream().map(DeadLetterTables::of).toList());
        all.put("consumers", overview.consumers().stream().map(StatusRows::of).toList());
        return all;
    }
}
