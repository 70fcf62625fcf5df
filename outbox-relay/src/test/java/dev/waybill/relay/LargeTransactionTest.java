package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cost of one large transaction for everybody else while it is open. */
@ExtendWith(PostgresExtension.class)
class LargeTransactionTest {
    private static final int ROWS = 20_000;
    private static final int LOOKS = 20;

    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) throws SQLException {
        assumeTrue(OutboxFixture.majorVersion(database) >= 15, "PostgreSQL 14 tells later what was read");
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void rows_of_another_destinations_open_transaction_are_not_read_by_each_look() throws SQLException {
        assertThat(readBesideAnOpenTransaction(100)).isLessThan(ROWS);
    }

    @Test
    void rows_of_an_open_transaction_that_crosses_a_partitions_border_are_not_read_by_each_look() throws SQLException {
        assertThat(readBesideAnOpenTransaction((1L << 17) - 1_000)).isLessThan(ROWS);
    }

    @Test
    void rows_of_an_open_transaction_are_not_read_by_those_who_ask_what_waits() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Connection large = outbox.open()) {
            DSLContext alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = outbox.relay(broker, alone).started();
            appendMany(large, "other");
            look(relay, "earlier", LOOKS);
            long before = read(alone);

            alone.fetch("select * from " + outbox.schema.table("outbox_backlog"));

            // Once, to find out which destinations there are; not for each snapshot.
            assertThat(read(alone) - before).isLessThan(2 * ROWS);
            large.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rows_of_another_destinations_transaction_that_has_ended_are_read_once(boolean committed) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Connection large = outbox.open()) {
            DSLContext alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = outbox.relay(broker, alone).started();
            appendMany(large, "other");
            look(relay, "earlier", LOOKS);
            if (committed) {
                large.commit();
            } else {
                large.rollback();
            }
            long before = read(alone);

            look(relay, "later", LOOKS);

            assertThat(read(alone) - before).isLessThan(2 * ROWS);
        }
    }

    @Test
    void the_rows_of_a_large_transaction_that_commits_late_come_in_few_pages() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Connection large = outbox.open()) {
            DSLContext alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = outbox.relay(broker, alone).started();
            appendMany(large, OutboxFixture.DESTINATION);
            look(relay, "earlier", LOOKS);
            large.commit();
            long before = read(alone);

            relay.run();

            assertThat(broker.arrived()).hasSize(LOOKS + ROWS).doesNotHaveDuplicates();
            // Each page looks at them twice: to find out how far they fit, and to fetch what does.
            assertThat(read(alone) - before).isLessThan(4 * 2 * ROWS);
        }
    }

    private long readBesideAnOpenTransaction(long startsAt) throws SQLException {
        outbox.execute("select setval('$schema.outbox_message_seq', " + startsAt + ")");
        try (Connection connection = database.dataSource().getConnection();
                Connection large = outbox.open()) {
            DSLContext alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = outbox.relay(broker, alone).started();
            appendMany(large, "other");
            look(relay, "earlier", LOOKS);
            long before = read(alone);

            look(relay, "later", LOOKS);

            long read = read(alone) - before;
            large.rollback();
            assertThat(broker.arrived()).hasSize(2 * LOOKS);
            return read;
        }
    }

    private void look(RelayUnderTest relay, String name, int times) {
        for (int i = 0; i < times; i++) {
            outbox.append(name + i, name + i);
            relay.run();
        }
    }

    private void appendMany(Connection large, String destination) {
        DSL.using(large, SQLDialect.POSTGRES)
                .execute("insert into " + outbox.schema.table("outbox_message")
                        + " (destination, session_id, message_id, payload)"
                        + " select '" + destination + "', 's' || n, 'l' || n, 'x' from generate_series(1, " + ROWS
                        + ") n");
    }

    // Of the whole server process, hence also what is not visible.
    private long read(DSLContext alone) {
        alone.execute("select pg_stat_force_next_flush()");
        alone.execute("select 1");
        return alone.fetchSingle(
                        "select coalesce(sum(idx_tup_read), 0)::bigint from pg_stat_user_indexes where schemaname = {0}"
                                + " and relname like 'outbox\\_message%'",
                        DSL.val(outbox.schema.value()))
                .get(0, Long.class);
    }
}
