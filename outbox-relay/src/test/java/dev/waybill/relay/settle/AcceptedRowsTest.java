package dev.waybill.relay.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.connect.RelayConnections;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.lease.OneRelay;
import dev.waybill.relay.send.RowKey;
import dev.waybill.relay.settle.AcceptedRows.Deleted;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class AcceptedRowsTest {
    private NewTables tables;
    private OneRelay owner;
    private LoopConnection connection;
    private AcceptedRows rows;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        owner = new OneRelay(tables, "bills", "orders");
        owner.claim();
        connection = new LoopConnection(RelayConnections.using(tables.dataSource(), Duration.ofSeconds(20)), 20_000);
        rows = new AcceptedRows(connection, tables.schema, Set.of());
    }

    @AfterEach
    void end() {
        connection.close();
    }

    @Test
    void a_row_that_has_the_value_of_a_sent_one_and_another_id_is_not_deleted() {
        insert("orders", 7, "new");

        Deleted deleted = rows.delete(List.of(settlement("orders", 1, 7, "old")));

        assertThat(deleted.destinations()).containsExactly("orders");
        assertThat(deleted.rows()).isZero();
        assertThat(waiting()).containsExactly("new");
    }

    @Test
    void a_row_of_another_destination_with_the_same_value_and_id_is_not_deleted() {
        insert("bills", 7, "m");

        rows.delete(List.of(settlement("orders", 1, 7, "m")));

        assertThat(waiting()).containsExactly("m");
    }

    @Test
    void an_owner_whose_epoch_is_over_deletes_nothing() {
        insert("orders", 7, "m");
        tables.execute("update $.outbox_destination set epoch = 2 where destination = 'orders'");

        Deleted deleted = rows.delete(List.of(settlement("orders", 1, 7, "m")));

        assertThat(deleted.destinations()).isEmpty();
        assertThat(waiting()).containsExactly("m");
    }

    @Test
    void no_claim_commits_while_rows_are_deleted() throws Exception {
        insert("orders", 7, "m");
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_message for update");
            var deleting = CompletableFuture.supplyAsync(() -> rows.delete(List.of(settlement("orders", 1, 7, "m"))));
            awaitOneThatWaits();
            assertThatThrownBy(() -> tables.execute("set lock_timeout = '50ms';"
                            + " update $.outbox_destination set epoch = 2 where destination = 'orders'"))
                    .hasMessageContaining("lock timeout");
            operator.rollback();

            assertThat(deleting.join().rows()).isEqualTo(1);
        } finally {
            tables.dsl.execute("reset lock_timeout");
        }
    }

    @Test
    void a_destination_that_somebody_has_locked_does_not_stop_the_others() throws Exception {
        insert("bills", 6, "b");
        insert("orders", 7, "o");
        var both = List.of(settlement("bills", 1, 6, "b"), settlement("orders", 1, 7, "o"));
        try (Connection operator = tables.open()) {
            tables.execute(operator, "update $.outbox_destination set paused_at = now() where destination = 'bills'");

            assertThat(rows.delete(both).destinations()).containsExactly("orders");
            assertThat(waiting()).containsExactly("b");
            operator.commit();
        }
        assertThat(rows.delete(both).destinations()).containsExactlyInAnyOrder("bills", "orders");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void a_claim_that_is_under_way_is_not_overrun() throws Exception {
        insert("orders", 7, "m");
        try (Connection claim = tables.open()) {
            tables.execute(claim, "update $.outbox_destination set epoch = 2 where destination = 'orders'");
            assertThat(rows.delete(List.of(settlement("orders", 1, 7, "m"))).destinations())
                    .isEmpty();
            claim.commit();
        }
        assertThat(waiting()).containsExactly("m");
    }

    @Test
    void a_settle_of_nothing_takes_an_id_of_its_own_each_time() {
        long first = rows.delete(List.of()).xid();

        assertThat(rows.delete(List.of()).xid()).isGreaterThan(first);
    }

    @Test
    void a_row_that_somebody_changes_meanwhile_is_deleted_all_the_same() throws Exception {
        insert("bills", 6, "b");
        insert("orders", 7, "o");
        var both = List.of(settlement("bills", 1, 6, "b"), settlement("orders", 1, 7, "o"));
        try (Connection operator = tables.open()) {
            tables.execute(operator, "update $.outbox_message set payload = '\\x02'");
            var deleting = CompletableFuture.supplyAsync(() -> rows.delete(both));
            awaitOneThatWaits();
            operator.commit();

            assertThat(deleting.join().rows()).isEqualTo(2);
        }
        assertThat(waiting()).isEmpty();
    }

    @Test
    void of_several_destinations_each_loses_its_own_rows_only() {
        for (long i = 1; i <= 40; i++) {
            insert("bills", i, "b" + i);
            insert("orders", i, "o" + i);
        }
        var bills = new ArrayList<RowKey>();
        var orders = new ArrayList<RowKey>();
        for (long i = 1; i <= 40; i++) {
            if (i % 2 == 0) {
                bills.add(new RowKey(i, "b" + i, null));
            } else {
                orders.add(new RowKey(i, "o" + i, null));
            }
        }

        Deleted deleted = rows.delete(List.of(new Settlement("orders", 1, orders), new Settlement("bills", 1, bills)));

        assertThat(deleted.rows()).isEqualTo(40);
        assertThat(waiting())
                .hasSize(40)
                .allMatch(id -> (id.charAt(0) == 'b') == (Integer.parseInt(id.substring(1)) % 2 == 1));
    }

    /** As after a promotion: the new primary has the statistics of the old one, and counts no change that would renew them. */
    @Test
    void statistics_of_an_empty_outbox_do_not_compare_what_waits_with_what_was_sent() {
        tables.execute("insert into $.outbox_message (destination, seq, message_id, payload)"
                + " select 'orders', n, 'm' || n, '' from generate_series(1, 5000) as n");
        EmptyStatistics.of(tables);

        rows.delete(List.of(new Settlement(
                "orders",
                1,
                LongStream.rangeClosed(1, 100)
                        .mapToObj(n -> new RowKey(n, "m" + n, null))
                        .toList())));

        assertThat(waiting()).hasSize(4_900);
        assertThat(EmptyStatistics.entriesRead(tables)).isLessThan(1_000);
    }

    private void awaitOneThatWaits() {
        Awaitility.await()
                .until(() -> tables.one(
                        Boolean.class,
                        "select exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"
                                + tables.schema + ".outbox_message m%')"));
    }

    private void insert(String destination, long seq, String id) {
        tables.execute(
                "insert into $.outbox_message (destination, seq, message_id, payload) values ({0}, {1}, {2}, '')",
                DSL.val(destination), DSL.val(seq), DSL.val(id));
    }

    private static Settlement settlement(String destination, long epoch, long seq, String id) {
        return new Settlement(destination, epoch, List.of(new RowKey(seq, id, null)));
    }

    private List<String> waiting() {
        return tables.fetch("select message_id from $.outbox_message order by seq")
                .getValues(0, String.class);
    }
}
