package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Feature;
import dev.waybill.relay.lease.NewTables;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is kept of published messages. */
@ExtendWith(PostgresExtension.class)
class RetainedRowsTest {
    private NewTables tables;
    private RetainingRelay relay;

    @BeforeEach
    void start(TestDatabase given) {
        tables = new NewTables(given, Feature.RETENTION);
        relay = new RetainingRelay(tables);
    }

    @Test
    void only_what_is_to_be_retained_is_kept_and_it_is_kept_whole() {
        tables.append("orders", "s", "o1", "o2");
        tables.append("bills", "s", "b1");
        String before = rows("outbox_message", "o1");

        relay.publish();

        assertThat(names("select message_id from $.outbox_published order by seq"))
                .containsExactly("o1", "o2");
        assertThat(rows("outbox_published", "o1")).isEqualTo(before);
        assertThat(names("select message_id from $.outbox_message")).isEmpty();
    }

    @Test
    void a_message_that_is_sent_twice_is_kept_once() {
        tables.append("orders", "s", "o1");
        tables.execute("create table $.before as select * from $.outbox_message");
        relay.publish();
        // As after a crash between the broker's answer and the settle.
        tables.execute("insert into $.outbox_message select * from $.before");
        relay.publish();

        assertThat(relay.arrived).hasSize(2);
        assertThat(names("select message_id from $.outbox_published")).containsExactly("o1");
    }

    /** A namespace that is lost had it as well. */
    @Test
    @Timeout(60)
    void a_message_that_is_published_out_of_its_hold_is_kept_whole_with_its_place_in_the_session() {
        relay.refused = "o2";
        tables.append("orders", "s", "o1", "o2", "o3");
        tables.append("bills", "s", "o2");
        String before = rows("outbox_message", "o3");
        relay.publish();
        relay.refused = "";
        Holds holds = Holds.ofOutbox(tables.dataSource(), tables.schema);
        holds.list().forEach(hold -> holds.release(hold.key(), new AuditContext("ada", "mended")));
        while (!holds.list().isEmpty()) {
            relay.publish();
        }

        assertThat(names("select message_id from $.outbox_published where destination = 'orders' order by seq"))
                .containsExactly("o1", "o2", "o3");
        assertThat(names("select destination from $.outbox_published where destination <> 'orders'"))
                .isEmpty();
        assertThat(rows("outbox_published", "o3")).isEqualTo(before);
    }

    @Test
    void a_day_is_emptied_when_its_time_is_up_and_no_sooner() {
        for (int age = 0; age <= 9; age++) {
            published("orders", age);
        }

        trim(7, "orders");

        assertThat(names("select message_id from $.outbox_published order by message_id"))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(0, 7).mapToObj(age -> "age" + age).toList());
    }

    /** Two services in one schema, one of which retains for a day. */
    @Test
    void a_relay_with_a_shorter_time_leaves_what_others_retain() {
        for (int age : new int[] {1, 3, 5, 15}) {
            published("orders", age);
            published("bills", age);
        }
        published("bills", 4);

        trim(1, "bills");

        assertThat(names("select distinct destination || slot from $.outbox_published"))
                .as("a day of its own, and days that are older than the longest retention, are gone")
                .hasSize(6);
        assertThat(names("select message_id from $.outbox_published where destination = 'orders' order by message_id"))
                .containsExactly("age1", "age3", "age5");
    }

    private void published(String destination, int age) {
        tables.execute(
                "insert into $.outbox_published (slot, published_at, seq, destination, message_id, payload, created_at) "
                        + "select (extract(epoch from t)::bigint / 86400) % 16, t, 1, '" + destination + "', 'age" + age
                        + "', '', t "
                        + "from (select clock_timestamp() - interval '" + age + " days') a(t)");
    }

    private void trim(int days, String destination) {
        tables.execute("select $.outbox_published_trim(interval '" + days + " days', array['" + destination + "'])");
    }

    @Test
    void without_the_feature_a_relay_that_retains_says_what_is_missing() {
        tables.execute("drop table $.outbox_published, $.outbox_replay");

        assertThatThrownBy(relay::publish).hasMessageContaining("retention");
    }

    private List<String> names(String sql) {
        return tables.fetch(sql).getValues(0, String.class);
    }

    private String rows(String table, String id) {
        return tables.one(
                String.class,
                "select (to_jsonb(m) - 'xid' - 'slot' - 'published_at')::text from $." + table
                        + " m where message_id = {0}",
                DSL.val(id));
    }
}
