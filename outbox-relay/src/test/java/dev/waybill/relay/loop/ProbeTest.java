package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ProbeTest {
    @Test
    void while_a_probe_is_under_way_nothing_is_sent_and_sent_back_again_and_again(TestDatabase database) {
        var tables = new NewTables(database);
        var broker = new Broker();
        try (var relay = new SteppedRelay(tables, broker, "orders").own()) {
            broker.answers(shipment -> new PublishResult(0, Outcome.THROTTLED, new IllegalStateException("slow down")));
            for (int i = 0; i < 20; i++) {
                tables.append("orders", "s" + i, "m" + i);
            }
            relay.turns(2);
            broker.answersNothing();
            relay.clock.advance(Duration.ofSeconds(30));
            relay.relay.heartbeat.beat();
            relay.turn();
            relay.sentBack();
            relay.turns(3);

            assertThat(relay.destination("orders").mine().lanes().isSending()).isTrue();
            assertThat(relay.sentBack()).as("wake-ups without an answer").isZero();
            broker.acceptsAll();
            broker.takePending().forEach(Broker.Pending::accept);
            relay.turns(3);
            assertThat(broker.arrived()).hasSize(20);
        }
    }
}
