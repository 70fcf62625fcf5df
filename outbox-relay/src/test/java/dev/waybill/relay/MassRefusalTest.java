package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An entity that refuses whatever is sent to it, one message after the other. */
@ExtendWith(PostgresExtension.class)
class MassRefusalTest {
    private static final int MESSAGES = 2_000;

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void append_messages_that_are_all_refused(TestDatabase database) {
        outbox = new OutboxFixture(database);
        broker.behave(shipment -> PublishResult.refused(0, new IllegalArgumentException("not here")));
        outbox.dsl.transaction(tx -> outbox.outbox.append(
                tx.dsl(),
                IntStream.range(0, MESSAGES)
                        .mapToObj(i -> OutboxMessage.to(OutboxFixture.DESTINATION)
                                .session("s" + i)
                                .id("m" + i)
                                .build())
                        .toList()));
    }

    @Test
    void a_database_that_is_far_away_is_not_asked_once_for_each_hold() {
        var statements = new AtomicInteger();
        var relay = outbox.relay(broker, WatchedConnections.of(outbox.dsl, new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                statements.incrementAndGet();
            }
        }));

        relay.started().run();

        assertThat(outbox.rowsIn("outbox_hold")).isEqualTo(MESSAGES);
        assertThat(outbox.rowsIn("outbox_held_message")).isEqualTo(MESSAGES);
        assertThat(statements).hasValueLessThan(MESSAGES / 10);
    }

    /** Each refusal is followed by the next one on the same thread, whose stack has an end. */
    @Test
    void a_publisher_that_refuses_at_once_ends_no_large_page_for_lack_of_stack() {
        outbox.policy = HoldPolicy.SKIP;
        outbox.append("one", IntStream.range(0, 5_000).mapToObj(i -> "n" + i).toArray(String[]::new));
        var relay = outbox.relay(broker, 10_000);

        relay.started().run();

        assertThat(outbox.rowsIn("outbox_held_message")).isEqualTo(MESSAGES + 5_000);
    }

    @Test
    void a_relay_that_holds_much_is_seen_to_move() {
        var reports = new ArrayList<RelayBeats.LoopReport>();
        var liveness = new ArrayList<Liveness>();
        var relay = outbox.relay(broker, WatchedConnections.of(outbox.dsl, new WatchedConnections.Watch() {
            @Override
            public void after(String sql) {
                if (isCopy(sql)) {
                    outbox.clock.advanceMillis(OutboxFixture.LEASE.toMillis() * 3 / 5);
                    liveness.forEach(loop -> reports.add(loop.report()));
                }
            }
        }));
        liveness.add(relay.started().liveness());

        relay.turn().step(true);

        assertThat(reports).hasSizeGreaterThan(3).allMatch(RelayBeats.LoopReport::moves);
    }

    @Test
    void a_relay_that_dies_amid_the_holds_has_passed_no_message_that_is_not_held() {
        var copies = new AtomicInteger();
        var dying = outbox.relay(broker, WatchedConnections.of(outbox.dsl, new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                if (isCopy(sql) && copies.incrementAndGet() == 4) {
                    throw new IllegalStateException("killed");
                }
            }
        }));
        assertThatThrownBy(() -> dying.started().run()).hasMessage("killed");

        assertThat(messages("published")).isZero();
        assertThat(messages("held")).isBetween(500, MESSAGES - 500);

        outbox.expireLeases();
        outbox.relay(broker).started().run();

        assertThat(messages("held")).isEqualTo(MESSAGES);
        assertThat(outbox.rowsIn("outbox_hold")).isEqualTo(MESSAGES);
        assertThat(outbox.rowsIn("outbox_held_message")).isEqualTo(MESSAGES);
    }

    @Test
    void every_message_is_held_under_its_own_key_with_its_own_content() {
        outbox.relay(broker).started().run();

        List<Integer> right = outbox.dsl.fetch("""
                        select count(*)::int from %1$s.outbox_hold h join %1$s.outbox_held_message m on m.hold_id = h.id
                        join %1$s.outbox_row r on r.seq = m.origin_position and r.message_id = m.message_id
                        where h.session_id = m.session_id and r.session_id = m.session_id
                          and substr(h.session_id, 2) = substr(m.message_id, 2) and h.state = 'parked'
                          and h.times_parked = 1 and h.reason = 'IllegalArgumentException' and h.description = 'not here'
                        """.formatted(outbox.schema)).getValues(0, Integer.class);

        assertThat(right).containsExactly(MESSAGES);
        assertThat(outbox.rowsIn("message_event")).isEqualTo(MESSAGES);
    }

    private static boolean isCopy(String sql) {
        return sql.contains(".outbox_held_message (");
    }

    private int messages(String status) {
        return outbox.dsl.fetchCount(
                DSL.table(outbox.schema.table("outbox_message_status")),
                DSL.condition("status = {0}", DSL.val(status)));
    }
}
