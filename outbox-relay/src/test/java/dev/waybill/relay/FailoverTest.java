package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.ReplicatedPostgres;
import java.util.Set;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A relay that lives on while the database changes under it. */
@Timeout(60)
class FailoverTest {
    // A server that is frozen still accepts connections; only a time limit on the socket ends the wait
    // for its greeting.
    private static final String TIME_LIMITS = "&connectTimeout=1&socketTimeout=2";

    private static final String USE_UP_TRANSACTION_IDS = """
            do $$ begin
              for n in 1..%d loop
                perform pg_current_xact_id();
                commit;
              end loop;
            end $$
            """;

    private final ServerOutbox outbox = new ServerOutbox();
    private ReplicatedPostgres servers;
    private PostgresNode primary;
    private PostgresNode standby;

    @BeforeEach
    void start_a_primary_and_its_standby() throws Exception {
        servers = ReplicatedPostgres.start();
        primary = servers.primary();
        standby = servers.standby();
        outbox.migrate(primary);
    }

    @AfterEach
    void stop() {
        try {
            outbox.close();
        } finally {
            servers.close();
        }
    }

    /**
     * The promoted standby gives out sequence values again that the old primary had given to rows which are lost, and
     * transaction ids too; with 500 other transactions in between, the new rows' ids look old, and without, new.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 500})
    void what_is_committed_after_a_failover_to_a_lagging_standby_is_published(int otherTransactions) throws Exception {
        Set<String> after = ServerOutbox.ids("after", 600);
        startRelayWithWork();
        standby.stopReceiving();
        outbox.append(primary, "lost", 400);
        outbox.awaitArrived(primary, ServerOutbox.ids("lost", 400));
        // Most of the time a relay has nothing to do; that is when a failure does not fall into a read of rows.
        outbox.awaitRest(primary);

        primary.crash();
        standby.promote();
        standby.execute(USE_UP_TRANSACTION_IDS.formatted(otherTransactions));
        outbox.append(standby, "after", 600);

        outbox.awaitArrived(standby, after);
        outbox.awaitRecorded(standby, after);
    }

    @Test
    void a_standby_that_had_everything_takes_over_and_nothing_is_called_published_unsent() throws Exception {
        startRelayWithWork();
        outbox.append(primary, "tail", 100);
        servers.awaitCaughtUp();

        primary.crash();
        standby.promote();
        outbox.append(standby, "after", 100);

        outbox.awaitArrived(standby, ServerOutbox.ids("tail", 100));
        outbox.awaitArrived(standby, ServerOutbox.ids("after", 100));
    }

    @Test
    void a_loop_that_reaches_a_standby_says_that_it_needs_the_primary() throws Exception {
        outbox.append(primary, "m", 10);
        servers.awaitCaughtUp();

        assertThatThrownBy(
                        () -> OutboxFixture.connections(DSL.using(outbox.pool(standby.jdbcUrl()), SQLDialect.POSTGRES))
                                .open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The server is a standby")
                .hasMessageContaining("targetServerType=primary");
    }

    @Test
    void a_frozen_primary_is_left_and_records_nothing_when_it_thaws() throws Exception {
        startRelayWithWork();
        primary.freeze();
        standby.promote();
        outbox.append(standby, "after", 200);
        outbox.awaitArrived(standby, ServerOutbox.ids("after", 200));

        primary.thaw();
        outbox.append(primary, "zombie", 50);
        outbox.append(standby, "later", 100);
        outbox.awaitArrived(standby, ServerOutbox.ids("later", 100));
        outbox.stopRelays();

        assertThat(outbox.published(primary)).doesNotContainAnyElementsOf(ServerOutbox.ids("zombie", 50));
        assertThat(outbox.arrived()).doesNotContainAnyElementsOf(ServerOutbox.ids("zombie", 50));
    }

    /** A crash forgets values that were drawn and not yet written to the log; a cursor that has passed them must not stay. */
    @Test
    void values_that_a_crash_has_forgotten_are_drawn_again_and_their_rows_published() throws Exception {
        primary.execute("alter system set wal_writer_delay = '10s'");
        primary.execute("select pg_reload_conf()");
        startRelayWithWork();
        try (var connection = primary.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            outbox.awaitRest(primary);
            statement.execute("select nextval('waybill.outbox_message_seq') from generate_series(1, 500)");
            outbox.awaitNextRead(primary);
            primary.crash();
        }
        primary.restart();
        outbox.append(primary, "after", 400);

        outbox.awaitArrived(primary, ServerOutbox.ids("after", 400));
    }

    /** One that is in the middle of things: it has published, recorded, and the standby knows. */
    private void startRelayWithWork() throws Exception {
        outbox.startRelay(servers.jdbcUrl() + TIME_LIMITS);
        outbox.append(primary, "before", 100);
        outbox.awaitRecorded(primary, ServerOutbox.ids("before", 100));
        servers.awaitCaughtUp();
    }
}
