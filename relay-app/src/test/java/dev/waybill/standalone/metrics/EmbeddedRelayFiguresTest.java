package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.standalone.service.RelayService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import dev.waybill.standalone.database.RelayPart;
import dev.waybill.standalone.database.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Figures beside a relay that tells none, and figures that nobody scrapes. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class EmbeddedRelayFiguresTest {
    private static final class Taker implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }

    @Test
    void figures_of_the_whole_outbox_are_told_also_beside_a_relay_that_is_embedded(
            TestDatabase database, @TempDir Path directory) throws Exception {
        try (var relays = new MonitoredRelay(database, directory);
                Relay embedded = Relay.builder(database.dataSource())
                        .schema(relays.schema)
                        .name("shop-service")
                        .publisher(new Taker())
                        .destination("orders")
                        .build().start()) {
            RelayService process = relays.start("first");
            relays.database.execute("insert into " + relays.schema.table("outbox_refusal") + " (destination, reason, description) values ('orders', 'x', 'y')");
            await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
            System.out.println("## alarms " + relays.dsl.fetch("select alarm, severity from " + relays.schema.table("relay_alarm")).formatJSON());
            System.out.println("## told " + relays.scrape(process).stream().map(Sample::name).filter(n -> n.startsWith("waybill_")).distinct().toList());
            assertThat(relays.value(process, "waybill_outbox_relays_alive")).containsExactly(2.0);
        }
    }

    @Test
    void figures_that_are_pushed_and_never_scraped_do_not_outlive_their_reading() {
        var clock = new AtomicLong();
        var registry = new SimpleMeterRegistry();
        var meters = new OutboxMeters(registry, "main", Duration.ofSeconds(15), clock::get);
        meters.show(new Reading(
                new Status("main", List.of(), List.of(), 7, List.of()), new RelayPart(true, 32, 1), List.of(), List.of(), List.of()));
        clock.addAndGet(Duration.ofHours(3).toNanos());
        registry.getMeters().forEach(meter -> System.out.println("## pushed " + meter.getId().getName() + " " + meter.measure()));
        assertThat(registry.find("waybill.outbox.scheduled").gauge()).isNull();
    }

    @Test
    void a_consumer_that_was_retired_long_ago_is_no_alarm(TestDatabase database, @TempDir Path directory) throws Exception {
        try (var relays = new MonitoredRelay(database, directory)) {
            RelayService process = relays.start("first");
            relays.database.execute("insert into " + relays.schema.table("inbox_consumer") + " (name, alive_until) values ('retired', now() - interval '200 days')");
            await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
            assertThat(relays.value(process, "waybill_inbox_alive")).isEmpty();
        }
    }
}
