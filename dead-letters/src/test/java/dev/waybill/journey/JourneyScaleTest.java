package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Prints how long journeys take that are long, or lie among much. */
@ExtendWith(PostgresExtension.class)
@org.junit.jupiter.api.condition.EnabledIfSystemProperty(named = "waybill.measure", matches = "true")
class JourneyScaleTest {
    private JourneyFixture tables;
    private TestDatabase database;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        tables = new JourneyFixture(database);
    }

    private static <T> T timed(String what, Supplier<T> look) {
        long from = System.nanoTime();
        try {
            return look.get();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "## failed " + what + " after " + (System.nanoTime() - from) / 1_000_000 + " ms: "
                            + e.getMessage().lines().findFirst(),
                    e);
        } finally {
            System.out.println("## TIMED " + what + " " + (System.nanoTime() - from) / 1_000_000 + " ms");
        }
    }

    @Test
    void a_session_of_a_thousand_messages_on_a_lane_that_has_recorded_much() {
        tables.execute("insert into $schema.outbox_message (destination, message_id, session_id, payload)"
                + " select 'orders', 'm' || i, 'alice', 'x' from generate_series(1, 3000) i");
        tables.execute("insert into $schema.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)"
                + " select 'orders', $schema.outbox_bucket('alice', null), 1, i / 5, pg_current_snapshot(),"
                + " pg_snapshot_xmax(pg_current_snapshot()) from generate_series(1, 24000) i");
        tables.execute("analyze");
        timed("session, 100", () -> tables.journeys.of(Sought.session("alice"), 100));
        Journey journey = timed("session, default 1000", () -> tables.journeys.of(Sought.session("alice"), 1_000));
        assertThat(journey.cut()).isTrue();
        timed("session, all of 3000", () -> tables.journeys.of(Sought.session("alice"), 10_000));
    }

    @Test
    void a_message_beside_a_full_ring() {
        tables.append("orders", "m1", "alice");
        tables.execute("select setval('$schema.message_event_seq', 131072)");
        tables.execute("insert into $schema.message_event (side, scope, event, message_id, session_id, origin_position,"
                + " origin_time, deliveries, reason, description) select 'inbox', 'ledger', 'failed', 'e' || (i % 50000), 's' || (i % 999), i,"
                + " now(), i, 'r', repeat(md5(i::text), 60) from generate_series(1, 250000) i");
        timed("full ring, first", () -> tables.of("m1"));
        timed("full ring, again", () -> tables.of("m1"));
        timed(
                "erase in a full ring",
                () -> Erasure.in(database.dataSource(), tables.schema)
                        .erase(ErasureRequest.message("e77"), new AuditContext("ada", "x")));
    }

    @Test
    void a_message_with_many_events() {
        tables.execute("insert into $schema.message_event (side, scope, event, message_id, session_id, origin_position,"
                + " origin_time, deliveries, reason, description) select 'inbox', 'ledger', 'failed', 'many', 's', i,"
                + " now(), i, 'r', 'd' from generate_series(1, 100000) i");
        timed("100000 events, 1000", () -> tables.journeys.of(Sought.message("many"), 1_000));
        timed("100000 events, 10000", () -> tables.journeys.of(Sought.message("many"), 10_000));
        timed(
                "100000 events, 30000, within 2 s a statement",
                () -> tables.journeys.within(java.time.Duration.ofSeconds(2)).of(Sought.message("many"), 30_000));
    }

    @Test
    void ten_thousand_held_of_one_session_are_told() {
        HoldKey alice = HoldKey.session(HoldSide.INBOX, "ledger", "alice");
        tables.hold(alice, "head");
        tables.execute(
                "insert into $schema.held_message (hold_id, origin_position, origin_time, session_id, message_id, payload)"
                        + " select h.id, i + 10, now(), 'alice', 'b' || i, 'x' from $schema.hold h, generate_series(1, 10000) i");
        Holds holds = dev.waybill.inbox.InboxHolds.in(database.dataSource(), tables.schema);
        for (int i = 0; i < 50; i++) {
            holds.release(alice, new AuditContext("ada", "x"));
        }
        timed("session of 10000 held, 1000", () -> tables.journeys.of(Sought.session("alice"), 1_000));
        timed("session of 10000 held, 10000", () -> tables.journeys.of(Sought.session("alice"), 10_000));
        tables.execute("delete from $schema.held_message");
        timed("session of 10000 left, 10000", () -> tables.journeys.of(Sought.session("alice"), 10_000));
    }
}
