package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
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

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_row_whose_commit_is_not_on_disk_yet_is_not_sent() throws Exception {
        var relay = outbox.relay(broker).started();
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
