package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The views of the alarms are asked on a standby, too, whose snapshots list nothing that runs. */
@Timeout(90)
class StandbyBacklogTest {
    private static final String BACKLOG =
            "select coalesce(string_agg(destination || '=' || pending, ',' order by destination), '') from waybill.outbox_backlog";

    private final ServerOutbox outbox = new ServerOutbox();

    @Test
    void a_standby_tells_of_the_same_late_rows_as_the_primary() throws Exception {
        try (PostgresNode server = PostgresNode.start()) {
            outbox.migrate(server);
            try (PostgresNode standby = server.newStandby();
                    Connection late = begun(server, "late");
                    Connection open = begun(server, "open")) {
                outbox.startRelay(server.jdbcUrl());
                outbox.append(server, "first", 300);
                outbox.awaitRecorded(server, ServerOutbox.ids("first", 300));
                outbox.awaitRest(server);
                outbox.stopRelays();
                late.commit();

                assertThat(server.value(BACKLOG)).isEqualTo("orders=10");
                await().untilAsserted(() -> assertThat(standby.value(BACKLOG)).isEqualTo("orders=10"));
                open.rollback();
            }
        } finally {
            outbox.close();
        }
    }

    private static Connection begun(PostgresNode server, String name) throws Exception {
        Connection tx = server.connect();
        tx.setAutoCommit(false);
        for (int i = 0; i < 10; i++) {
            Outbox.create()
                    .append(
                            tx,
                            OutboxMessage.to("orders")
                                    .session(name + i)
                                    .id(name + i)
                                    .text("x")
                                    .build());
        }
        return tx;
    }
}
