package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A relay without threads, which publishes when it is told to. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SingleTurnTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void all_that_is_committed_is_published_when_the_call_returns_and_nothing_else() throws Exception {
        for (int i = 0; i < 250; i++) {
            outbox.append("s" + i % 7, "m" + i);
        }
        try (Relay relay = relay();
                Connection open = outbox.open()) {
            outbox.append(open, "s0", "open");

            assertThat(relay.publishCommitted()).isEqualTo(250);
            assertThat(broker.arrived()).hasSize(250).doesNotContain("open");
            assertThat(relay.publishCommitted()).isZero();

            open.commit();
            assertThat(relay.publishCommitted()).isEqualTo(1);
            assertThat(broker.arrived()).endsWith("open");
        }
    }

    @Test
    void a_message_whose_time_has_come_is_among_them() {
        outbox.dsl.transaction(tx -> outbox.outbox.append(
                tx.dsl(),
                List.of(later("due", Instant.EPOCH), later("not-due", Instant.parse("2100-01-01T00:00:00Z")))));
        try (Relay relay = relay()) {
            relay.publishCommitted();
        }

        assertThat(broker.arrived()).containsExactly("due");
    }

    @Test
    void due_messages_that_cannot_be_moved_are_told_of_after_the_others_were_sent() {
        outbox.dsl.transaction(tx -> outbox.outbox.append(tx.dsl(), List.of(later("due", Instant.EPOCH))));
        outbox.append("s", "now");
        outbox.execute("alter table $schema.outbox_message add check (message_id <> 'due')");
        try (Relay relay = relay()) {
            assertThatThrownBy(relay::publishCommitted)
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("violates check constraint");
            assertThat(broker.arrived()).containsExactly("now");
        }
    }

    @Test
    void the_lanes_are_free_for_the_next_relay_at_once() {
        outbox.append("s", "first");
        try (Relay relay = relay()) {
            relay.publishCommitted();
        }
        outbox.append("s", "second");
        try (Relay relay = relay()) {
            assertThat(relay.publishCommitted()).isEqualTo(1);
        }
    }

    @Test
    void a_relay_with_threads_takes_no_single_turns_and_the_reverse() {
        try (Relay started = relay().start();
                Relay turning = relay()) {
            assertThatThrownBy(started::publishCommitted).isInstanceOf(IllegalStateException.class);
            turning.publishCommitted();
            assertThatThrownBy(turning::start).isInstanceOf(IllegalStateException.class);
        }
    }

    private static OutboxMessage later(String id, Instant time) {
        return OutboxMessage.to(OutboxFixture.DESTINATION)
                .id(id)
                .notBefore(time)
                .text(id)
                .build();
    }

    private Relay relay() {
        return Relay.builder(database.dataSource())
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .build();
    }
}
