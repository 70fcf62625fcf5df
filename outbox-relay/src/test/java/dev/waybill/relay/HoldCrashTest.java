package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A relay dies at each statement of a turn that holds, and of one that releases: before it is sent, and after it was
 * carried out and its reply was lost. The next relay goes on from what the database holds.
 */
@ExtendWith(PostgresExtension.class)
class HoldCrashTest {
    private static final AuditContext BY_ANNA = new AuditContext("anna", "crash");

    private TestDatabase database;
    private OutboxFixture outbox;
    private Holds holds;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
    }

    @Test
    @Tag("long")
    void at_each_step_of_a_hold_nothing_is_lost_nothing_overtakes_and_nothing_is_held_twice() {
        int steps = 0;
        for (boolean before : new boolean[] {true, false}) {
            boolean crashed = true;
            for (int step = 1; crashed; step++) {
                prepare();
                var broker = new RecordingPublisher();
                broker.refuse("poison");
                outbox.append("s", "m1", "poison", "m2");

                crashed = runUntilItDies(broker, step, before);
                takeOver(broker);

                assertThat(distinct(broker)).as("step %d", step).containsExactly("m1");
                assertThat(heldIds()).as("step %d", step).containsExactly("poison", "m2");
                steps++;
            }
        }
        assertThat(steps).as("steps of a turn that holds").isGreaterThan(15);
    }

    @Test
    @Tag("long")
    void at_each_step_of_a_release_nothing_is_lost_and_nothing_overtakes() {
        int steps = 0;
        for (boolean before : new boolean[] {true, false}) {
            boolean crashed = true;
            for (int step = 1; crashed; step++) {
                prepare();
                var broker = new RecordingPublisher();
                broker.refuse("poison");
                outbox.append("s", "m1", "poison", "m2");
                drain(outbox.relay(broker).started());
                outbox.expireLeases();
                broker.takeEverything();
                holds.release(session(), BY_ANNA);
                outbox.append("s", "m3");

                crashed = runUntilItDies(broker, step, before);
                takeOver(broker);

                assertThat(distinct(broker)).as("step %d", step).containsExactly("m1", "poison", "m2", "m3");
                assertThat(holds.list()).as("step %d", step).isEmpty();
                steps++;
            }
        }
        assertThat(steps).as("steps of a turn that releases").isGreaterThan(20);
    }

    @Test
    void an_operator_who_dies_while_skipping_has_skipped_all_of_it_or_nothing() {
        var broker = new RecordingPublisher();
        broker.refuse("poison");
        outbox.append("s", "m1", "poison", "m2");
        drain(outbox.relay(broker).started());
        outbox.execute("insert into $schema.inbox_hold (consumer, session_id, state, reason)"
                + " select destination, session_id, state, reason from $schema.outbox_hold");
        outbox.execute(
                "insert into $schema.inbox_held_message (hold_id, origin_position, origin_time, session_id, message_id, payload)"
                        + " select h.id, m.origin_position, m.origin_time, m.session_id, m.message_id, m.payload"
                        + " from $schema.inbox_hold h, $schema.outbox_held_message m order by m.place");
        var dying = Holds.ofInbox(database.dataSource(), outbox.schema, (tx, key, message) -> {
            throw new Crash();
        });
        HoldKey held = HoldKey.session(HoldSide.INBOX, OutboxFixture.DESTINATION, "s");
        long place = dying.messages(held, 1).get(0).place();

        assertThat(catchThrowable(() -> dying.skip(held, place, BY_ANNA))).isInstanceOf(Crash.class);

        assertThat(dying.messages(held, 9)).hasSize(2);
        assertThat(outbox.rowsIn("operator_action")).isZero();
    }

    /** As after the installation; to install anew at each step would take most of the test's time. */
    private void prepare() {
        outbox.closeRelays();
        outbox.emptyTables();
    }

    private boolean runUntilItDies(RecordingPublisher broker, int step, boolean before) {
        var crash = new CrashAt(step, before);
        var relay = outbox.relay(broker, WatchedConnections.of(outbox.dsl, crash));
        Throwable death = catchThrowable(() -> drain(relay.started()));
        assertThat(death == null || death instanceof Crash).isTrue();
        return death != null;
    }

    private void takeOver(RecordingPublisher broker) {
        outbox.expireLeases();
        outbox.execute(
                "update $schema.outbox_hold set attempt_until = clock_timestamp() where attempt_until is not null");
        drain(outbox.relay(broker).started());
    }

    private static void drain(OutboxFixture.RelayUnderTest relay) {
        while (relay.run().moved()) {}
    }

    private static Stream<String> distinct(RecordingPublisher broker) {
        return broker.arrived().stream().distinct();
    }

    private static HoldKey session() {
        return HoldKey.session(HoldSide.OUTBOX, OutboxFixture.DESTINATION, "s");
    }

    private List<String> heldIds() {
        return holds.messages(session(), 100).stream()
                .map(message -> message.content().messageId())
                .toList();
    }

    /** Dies at the n-th statement of those that are more than a look. */
    private static final class CrashAt implements WatchedConnections.Watch {
        private static final Pattern CHANGES =
                Pattern.compile("(?i)\\b(insert into|update|delete from|for share|nextval|set_config)\\b");

        private final int step;
        private final boolean before;
        private int statements;

        CrashAt(int step, boolean before) {
            this.step = step;
            this.before = before;
        }

        @Override
        public void before(String sql) {
            if (isMoreThanALook(sql)) {
                statements++;
                die(before);
            }
        }

        @Override
        public void after(String sql) {
            if (isMoreThanALook(sql)) {
                die(!before);
            }
        }

        private static boolean isMoreThanALook(String sql) {
            return CHANGES.matcher(sql).find();
        }

        private void die(boolean here) {
            if (here && statements == step) {
                throw new Crash();
            }
        }
    }

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
