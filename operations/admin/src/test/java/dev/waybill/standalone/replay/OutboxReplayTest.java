package dev.waybill.standalone.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.relay.RetainingRelay;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.schema.FeatureMissing;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a replay makes of published messages. */
@ExtendWith(PostgresExtension.class)
class OutboxReplayTest {
    private static final ReplaySelection ORDERS = ReplaySelection.of("orders");

    private NewTables tables;
    private RetainingRelay relay;
    private OutboxReplay replays;

    @BeforeEach
    void start(TestDatabase given) {
        tables = new NewTables(given, Feature.RETENTION);
        relay = new RetainingRelay(tables);
        replays = OutboxReplay.of(tables.dataSource(), tables.schema);
    }

    @Test
    void a_replay_that_is_interrupted_at_any_step_appends_each_row_once_in_order() {
        String[] ids = IntStream.range(0, 700).mapToObj(i -> "m" + i).toArray(String[]::new);
        tables.append("orders", "s", ids);
        relay.publish();
        UUID run = replays.begin(ORDERS, "a lost namespace");
        replays.step(run);
        // It is another process that goes on.
        OutboxReplay other = OutboxReplay.of(tables.dataSource(), tables.schema);
        assertThat(other.open()).containsExactly(run);
        other.finish(run);
        assertThat(other.step(run)).isZero();

        relay.arrived.clear();
        relay.publish();

        assertThat(relay.arrived).extracting(row -> row.content().messageId()).containsExactly(ids);
        assertThat(relay.arrived)
                .allSatisfy(row -> assertThat(row.content().messageIdOnBroker())
                        .isNotEqualTo(row.content().messageId()));
    }

    @Test
    void a_step_whose_transaction_fails_appends_nothing_and_is_taken_again() {
        tables.append("orders", "s", "m1", "m2");
        relay.publish();
        UUID run = replays.begin(ORDERS, "a test");
        tables.execute("create function $.fail() returns trigger language plpgsql as "
                + "'begin raise ''the position cannot be written''; end'");
        tables.execute("create trigger fail before update on $.outbox_replay for each row execute function $.fail()");
        assertThatThrownBy(() -> replays.step(run)).hasMessageContaining("the position cannot be written");
        assertThat(waiting()).isEmpty();

        tables.execute("drop trigger fail on $.outbox_replay");
        replays.finish(run);

        assertThat(waiting()).containsExactly("m1", "m2");
    }

    @Test
    void what_is_published_after_a_replay_has_begun_is_not_in_it() {
        tables.append("orders", "s", "m1");
        relay.publish();
        UUID run = replays.begin(ORDERS, "a test");
        tables.append("orders", "s", "m2");
        relay.publish();

        assertThat(replays.finish(run)).isEqualTo(1);
    }

    @Test
    void after_a_reset_of_the_sequence_a_replay_appends_all_in_the_order_of_their_creation() {
        tables.append("orders", "s", "old1", "old2", "old3", "old4");
        relay.publish();
        tables.fetch("select setval('$.outbox_seq', 1)");
        tables.append("orders", "s", "new2", "new3");
        relay.publish();

        UUID run = replays.begin(ORDERS, "a cutover without sequences");
        tables.append("orders", "s", "later");
        relay.publish();

        assertThat(replays.finish(run)).isEqualTo(6);
        assertThat(waiting()).containsExactly("old1", "old2", "old3", "old4", "new2", "new3");
    }

    @Test
    void what_has_expired_is_not_replayed() {
        tables.append("orders", "s", "m1", "m2", "m3");
        relay.publish();
        tables.execute("update $.outbox_published set time_to_live = 60000, published_at = clock_timestamp()"
                + " - case message_id when 'm1' then interval '2 minutes' else interval '0' end");

        assertThat(replays.count(ORDERS).published()).isEqualTo(2);
        replays.finish(replays.begin(ORDERS, "a test"));

        assertThat(waiting()).containsExactly("m2", "m3");
    }

    @Test
    void a_replay_that_is_given_up_appends_nothing_more() {
        tables.append("orders", "s", "m1");
        relay.publish();
        UUID run = replays.begin(ORDERS, "a mistake");

        assertThat(replays.abandon(run, new AuditContext("ada", "a mistake"))).isTrue();
        assertThat(replays.abandon(run, new AuditContext("ada", "a mistake"))).isFalse();

        assertThat(replays.finish(run)).isZero();
        assertThat(replays.open()).isEmpty();
    }

    @Test
    void what_was_ordered_to_be_erased_is_not_replayed() {
        tables.append("orders", "s", "m1");
        tables.append("orders", "t", "m2");
        relay.publish();
        tables.execute("insert into $.erasure_order (digest, kind, applies_until, operator, reason) values "
                + "($.erasure_digest('session', 's'), 'session', clock_timestamp(), 'ada', 'a request')");
        UUID run = replays.begin(ORDERS, "a test");
        replays.finish(run);

        assertThat(waiting()).containsExactly("m2");
    }

    @Test
    void without_the_feature_a_replay_says_what_is_missing() {
        tables.execute("drop table $.outbox_published, $.outbox_replay");

        assertThatThrownBy(() -> replays.begin(ORDERS, "a test"))
                .isInstanceOf(FeatureMissing.class)
                .hasMessageContaining("retention");
    }

    private List<String> waiting() {
        return tables.fetch("select message_id from $.outbox_message order by seq")
                .getValues(0, String.class);
    }
}
