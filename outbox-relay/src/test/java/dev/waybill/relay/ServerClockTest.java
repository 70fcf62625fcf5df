package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import dev.waybill.relay.RelayTables.Source;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server's clock jumps. Times that it has written are moved the other way, which is the same to their readers. */
@ExtendWith(PostgresExtension.class)
class ServerClockTest {
    private static final String SET_BACK = "update $schema.relay_beat set at = at + interval '1 hour',"
            + " alive_until = alive_until + interval '1 hour'";

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    /** Both send what is not settled yet, each from its beginning: repeats, and no other order of what comes first. */
    @Test
    void a_clock_that_goes_forward_gives_lanes_a_second_owner_and_costs_repeats_only() {
        IntStream.range(0, 20).forEach(i -> outbox.append("s", "m" + i));
        var slow = new HeldBackPublisher(broker, shipment -> true);
        UUID first = UUID.randomUUID();
        RelayUnderTest former = started(first, slow);
        former.turn().step(true);

        outbox.expireLeases();
        UUID second = UUID.randomUUID();
        RelayUnderTest next = started(second, broker);
        next.run();
        slow.answer();
        former.heartbeat().beat();
        former.run();

        assertThat(broker.arrived().stream().distinct())
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> "m" + i).toList());
        assertThat(outbox.dsl
                        .fetchSingle(
                                "select count(*) from " + outbox.schema.table("outbox_lane") + " where owner = {0}",
                                DSL.val(second))
                        .get(0, Integer.class))
                .isPositive();
    }

    @Test
    void a_relay_that_lives_while_the_clock_goes_back_counts_by_the_new_one_from_its_next_beat_on() {
        UUID id = UUID.randomUUID();
        RelayUnderTest relay = started(id, broker);
        outbox.execute(SET_BACK);

        relay.heartbeat().beat();

        assertThat(lanesOf(id)).isEqualTo(32);
        assertThat(aliveForMoreThanALease()).isZero();
    }

    /** A case without a guarantee, and the remedy of an operator. */
    @Test
    void a_relay_that_dies_as_the_clock_goes_back_keeps_its_lanes_that_long_or_until_its_row_is_deleted() {
        UUID dead = UUID.randomUUID();
        started(dead, broker);
        outbox.execute(SET_BACK);
        UUID heir = UUID.randomUUID();
        RelayUnderTest relay = started(heir, broker);

        assertThat(lanesOf(heir)).isZero();
        outbox.dsl.execute("delete from " + outbox.schema.table("relay_instance") + " where id = {0}", DSL.val(dead));
        relay.turn().takeLanes();

        assertThat(lanesOf(heir)).isEqualTo(32);
    }

    private RelayUnderTest started(UUID id, Publisher publisher) {
        RelayUnderTest relay = outbox.relay(publisher, outbox.dsl, Source.of(outbox.schema, id, 100, System::nanoTime));
        relay.liveness().becomeReady();
        relay.heartbeat().beat();
        relay.turn().takeLanes();
        return relay;
    }

    private int lanesOf(UUID id) {
        return outbox.dsl
                .fetchSingle(
                        "select count(*) from " + outbox.schema.table("outbox_lane") + " where owner = {0}",
                        DSL.val(id))
                .get(0, Integer.class);
    }

    private int aliveForMoreThanALease() {
        return outbox.dsl
                .fetchSingle(
                        "select count(*) from " + outbox.schema.table("relay_liveness")
                                + " where alive_until > clock_timestamp() + {0} * interval '1 millisecond'",
                        DSL.val(OutboxFixture.LEASE.toMillis()))
                .get(0, Integer.class);
    }
}
