package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.lease.NewTables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class PauseTest {
    @Test
    void a_destination_is_seen_to_be_paused_although_memory_is_full(TestDatabase database) {
        var broker = new Broker();
        var tables = new NewTables(database);
        try (var relay = new SteppedRelay(tables, broker, "orders").own()) {
            broker.answersNothing();
            tables.execute("insert into $.outbox_message (destination, session_id, message_id, payload)"
                    + " select 'orders', 's' || n, 'm' || n, '' from generate_series(1, 12000) n");
            relay.turns(10);

            tables.execute("update $.outbox_destination set paused_at = now()");
            relay.turns(10);

            assertThat(relay.destination("orders").mine().isOpen()).isFalse();
        }
    }
}
