package dev.waybill.standalone.metrics;

import dev.waybill.deadletter.CollectorStatus;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.ConsumerView;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.Status;
import dev.waybill.standalone.metrics.GaugeRows.Rows;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/** The metrics of the whole outbox. Only one relay exports them, so that sums over relays are correct. */
final class OutboxTotals {
    private final GaugeRows gauges;
    private final Rows<DestinationView> pending;
    private final Rows<DestinationView> oldest;
    private final Rows<DestinationView> heldSessions;
    private final Rows<DestinationView> heldMessages;
    private final Rows<Status> scheduled;
    private final Rows<Status> liveRelays;
    private final Rows<MetricsReading> ownerChanges;
    private final Rows<Alarm> alarms;
    private final Rows<DeadLetterGroup> letters;
    private final Rows<DeadLetterGroup> oldestLetter;
    private final Collectors collectors;
    private final Consumers consumers;

    OutboxTotals(MeterRegistry registry, String database) {
        gauges = new GaugeRows(registry, database);
        pending = destinations("waybill.outbox.pending", "messages", "Messages that wait to be published");
        oldest = destinations("waybill.outbox.oldest.pending.age", "seconds", "How long the oldest of them has waited");
        heldSessions = destinations("waybill.outbox.held.sessions", "", "Sessions and single messages on hold");
        heldMessages = destinations("waybill.outbox.held.messages", "messages", "Messages on hold");
        scheduled = gauges.of(
                "waybill.outbox.scheduled", "messages", "Messages that wait for their time", OutboxTotals::none);
        liveRelays =
                gauges.of("waybill.outbox.relays.alive", "", "Relays that have said so in time", OutboxTotals::none);
        ownerChanges = gauges.of(
                "waybill.outbox.owner.changes", "", "How often destinations have changed owners", OutboxTotals::none);
        alarms = gauges.of("waybill.outbox.alarm", "", "1 for each alarm that the database raises", OutboxTotals::tags);
        letters = letters("waybill.dlq.depth", "messages", "Open dead letters that were collected");
        oldestLetter = letters("waybill.dlq.oldest.age", "seconds", "How long ago the oldest of them was enqueued");
        collectors = new Collectors(gauges);
        consumers = new Consumers(gauges);
    }

    private Rows<DestinationView> destinations(String name, String unit, String description) {
        return gauges.of(name, unit, description, view -> Tags.of("destination", view.name()));
    }

    private Rows<DeadLetterGroup> letters(String name, String unit, String description) {
        return gauges.of(
                name,
                unit,
                description,
                group -> Tags.of("entity", String.valueOf(group.key().get(0))));
    }

    private static Tags none(Object thing) {
        return Tags.empty();
    }

    private static Tags tags(Alarm alarm) {
        return Tags.of(
                "alarm", alarm.name(),
                "severity", alarm.severity(),
                "destination", alarm.destination().orElse(""));
    }

    void show(MetricsReading reading) {
        Status status = reading.status();
        pending.show(status.destinations(), DestinationView::pending);
        oldest.show(status.destinations(), DestinationView::oldestAgeSeconds);
        heldSessions.show(status.destinations(), view -> view.held().sessions());
        heldMessages.show(status.destinations(), view -> view.held().messages());
        scheduled.show(List.of(status), Status::scheduled);
        liveRelays.show(List.of(status), Status::liveRelays);
        ownerChanges.show(List.of(reading), all -> all.part().ownerChanges());
        alarms.show(status.alarms(), alarm -> 1);
        letters.show(reading.letters(), DeadLetterGroup::count);
        oldestLetter.show(reading.letters(), group -> group.oldestAge().toSeconds());
        collectors.show(reading.collectors());
        consumers.show(reading.consumers());
    }

    void hide() {
        gauges.hide();
    }

    private static final class Collectors {
        private final Rows<CollectorStatus> alive;
        private final Rows<CollectorStatus> behind;
        private final Rows<CollectorStatus> failing;

        Collectors(GaugeRows gauges) {
            alive = of(gauges, "waybill.dlq.collector.alive", "", "1 if somebody collects there");
            behind = of(
                    gauges,
                    "waybill.dlq.collector.behind",
                    "seconds",
                    "Since when dead letters have been on the broker all the time");
            failing = of(gauges, "waybill.dlq.collector.failing", "", "1 if collecting there fails");
        }

        private static Rows<CollectorStatus> of(GaugeRows gauges, String name, String unit, String description) {
            return gauges.of(
                    name,
                    unit,
                    description,
                    status -> Tags.of("entity", status.entity().toString()));
        }

        void show(List<CollectorStatus> statuses) {
            alive.show(statuses, status -> status.alive() ? 1 : 0);
            behind.show(statuses, status -> status.behind().toSeconds());
            failing.show(statuses, status -> status.failing() == null ? 0 : 1);
        }
    }

    private static final class Consumers {
        private final Rows<ConsumerView> alive;
        private final Rows<ConsumerView> heldSessions;
        private final Rows<ConsumerView> heldMessages;
        private final Rows<ConsumerView> deferred;
        private final Rows<ConsumerView> forgotten;

        Consumers(GaugeRows gauges) {
            alive = of(gauges, "waybill.inbox.alive", "", "1 if a process of the consumer is alive");
            heldSessions = of(gauges, "waybill.inbox.held.sessions", "", "Sessions and single messages on hold");
            heldMessages = of(gauges, "waybill.inbox.held.messages", "messages", "Messages on hold");
            deferred = of(gauges, "waybill.inbox.deferred", "messages", "Messages that lie deferred");
            forgotten = of(
                    gauges,
                    "waybill.inbox.deferred.forgotten",
                    "messages",
                    "Those that have lain for a day, and nobody has asked for");
        }

        private static Rows<ConsumerView> of(GaugeRows gauges, String name, String unit, String description) {
            return gauges.of(name, unit, description, view -> Tags.of("consumer", view.name()));
        }

        void show(List<ConsumerView> views) {
            alive.show(views, view -> view.alive() ? 1 : 0);
            heldSessions.show(views, view -> view.held().holds());
            heldMessages.show(views, view -> view.held().messages());
            deferred.show(views, view -> view.held().deferrals());
            forgotten.show(views, view -> view.held().forgotten());
        }
    }
}
