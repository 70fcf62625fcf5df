package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.relay.Relay;
import dev.waybill.standalone.service.RelayService;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
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
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
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
                        .build()
                        .start()) {
            RelayService process = relays.start("first");
            relays.database.execute("update " + relays.schema.table("outbox_destination")
                    + " set refused_at = now(), refusal_seen_at = now(), refusal_reason = 'x', refusal_description = 'y'"
                    + " where destination = 'orders'");
            assertThat(embedded).isNotNull();
            relays.awaitFiring("WaybillAlarm", "alarm", "refused");
            await().until(() ->
                    relays.value(process, "waybill_outbox_relays_alive").equals(List.of(2.0)));
        }
    }

    @Test
    @Tag("long")
    void a_consumer_that_was_retired_long_ago_is_no_alarm(TestDatabase database, @TempDir Path directory)
            throws Exception {
        try (var relays = new MonitoredRelay(database, directory)) {
            RelayService process = relays.start("first");
            relays.database.execute("insert into " + relays.schema.table("inbox_consumer")
                    + " (name, alive_until) values ('retired', now() - interval '200 days')");
            relays.append("nowhere", "s", "m1");
            await().until(() ->
                    relays.value(process, "waybill_outbox_pending_messages").contains(1.0));
            assertThat(relays.value(process, "waybill_inbox_alive")).isEmpty();
        }
    }
}
