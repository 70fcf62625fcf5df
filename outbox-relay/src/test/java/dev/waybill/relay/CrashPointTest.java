package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A relay dies at each point of its turn; the next one goes on from what the database holds. */
@ExtendWith(PostgresExtension.class)
class CrashPointTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        outbox.append("s", "m1", "m2");
    }

    @Test
    void after_the_claim() {
        outbox.relay(broker).started();

        assertThat(arrivedAfterTakeOver()).containsExactly("m1", "m2");
    }

    @Test
    void while_the_cursors_are_loaded() {
        assertThatThrownBy(outbox.relay(broker, dying("select bucket, position", true))::started)
                .isInstanceOf(Crash.class);

        assertThat(arrivedAfterTakeOver()).containsExactly("m1", "m2");
    }

    @Test
    void after_the_read_and_before_the_send() {
        var dying = new RecordingPublisher();
        dying.behave(shipment -> {
            throw new Crash();
        });
        crash(outbox.relay(dying).started());

        assertThat(arrivedAfterTakeOver()).containsExactly("m1", "m2");
    }

    @Test
    void inside_the_send_when_the_broker_has_taken_a_part() {
        broker.behave(shipment -> PublishResult.failed(1, new Crash()));
        outbox.relay(new ForgetfulPublisher(broker)).started().run();
        broker.behave(shipment -> PublishResult.accepted(shipment.rows().size()));

        assertThat(arrivedAfterTakeOver()).containsExactly("m1", "m1", "m2");
    }

    @Test
    void after_the_acknowledgement_and_before_the_settle() {
        crash(outbox.relay(broker, dying("insert into " + outbox.schema + ".outbox_progress", true))
                .started());

        assertThat(arrivedAfterTakeOver()).containsExactly("m1", "m2", "m1", "m2");
    }

    @Test
    void after_the_settle_whose_reply_is_lost() {
        crash(outbox.relay(broker, dying("insert into " + outbox.schema + ".outbox_progress", false))
                .started());

        assertThat(arrivedAfterTakeOver()).containsExactly("m1", "m2");
    }

    @Test
    void the_same_relay_forgets_what_it_believed_when_a_settles_reply_is_lost() {
        var relay = outbox.relay(broker, dying("insert into " + outbox.schema + ".outbox_progress", false))
                .started();
        crash(relay);
        outbox.append("s", "m3");

        relay.run();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3");
    }

    private static void crash(OutboxFixture.RelayUnderTest relay) {
        assertThatThrownBy(relay::run).isInstanceOf(Crash.class);
    }

    private Stream<String> arrivedAfterTakeOver() {
        outbox.expireLeases();
        var successor = outbox.relay(broker).started();
        while (successor.run().published() > 0) {}
        return broker.arrived().stream();
    }

    /** A connection that dies once: before the first statement that starts so is sent, or before its reply arrives. */
    private DSLContext dying(String statement, boolean before) {
        return WatchedConnections.of(outbox.dsl, new WatchedConnections.Watch() {
            private boolean done;

            @Override
            public void before(String sql) {
                dieAt(sql, before);
            }

            @Override
            public void after(String sql) {
                dieAt(sql, !before);
            }

            private void dieAt(String sql, boolean here) {
                if (here && !done && sql.startsWith(statement)) {
                    done = true;
                    throw new Crash();
                }
            }
        });
    }

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Its broker takes messages and its relay does not learn of it. */
    private record ForgetfulPublisher(Publisher broker) implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return broker.publish(shipment).thenApply(result -> PublishResult.failed(0, new Crash()));
        }

        @Override
        public void close() {}
    }
}
