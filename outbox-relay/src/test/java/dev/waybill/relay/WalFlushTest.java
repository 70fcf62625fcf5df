package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.sql.SQLException;
import java.util.ArrayList;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class WalFlushTest {
    private static final int MESSAGES = 20;

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    private TestDatabase database;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_row_whose_commit_is_not_on_disk_yet_is_not_sent() throws Exception {
        sendsOnlyWhatIsOnDisk(outbox.relay(broker).started());
    }

    @Test
    void a_role_that_may_not_have_the_server_wait_sends_no_such_row_either() throws Exception {
        try (var role = new TemporaryRole(database, outbox.schema, Role.RELAY)) {
            database.execute("revoke execute on function pg_sleep(double precision) from public");
            sendsOnlyWhatIsOnDisk(outbox.relay(broker, role.dsl()).started());
        } finally {
            database.execute("grant execute on function pg_sleep(double precision) to public");
        }
    }

    private void sendsOnlyWhatIsOnDisk(RelayUnderTest relay) throws Exception {
        var lost = new ArrayList<String>();
        for (int i = 0; i < MESSAGES; i++) {
            String id = "m" + i;
            String committed = commitWithoutWaiting(id);
            broker.behave(shipment -> {
                if (!isFlushed(committed)) {
                    lost.add(id);
                }
                return PublishResult.accepted(shipment.rows().size());
            });
            relay.run();
        }

        assertThat(broker.arrived()).hasSize(MESSAGES);
        assertThat(lost).isEmpty();
    }

    /** Returns where in the log the commit stands. */
    private String commitWithoutWaiting(String id) throws SQLException {
        var tx = outbox.open();
        DSL.using(tx).execute("set local synchronous_commit = off");
        outbox.append(tx, "s", id);
        outbox.commit(tx);
        return outbox.dsl
                .fetchSingle("select pg_current_wal_insert_lsn()::text")
                .into(String.class);
    }

    private boolean isFlushed(String position) {
        return outbox.dsl
                .fetchSingle("select pg_current_wal_flush_lsn() >= {0}::pg_lsn", DSL.val(position))
                .into(Boolean.class);
    }
}
