package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cost to find out which bodies outside their messages are still needed. */
@ExtendWith(PostgresExtension.class)
class ClaimScanTest {
    private static final int CLAIMS = 100;
    private static final int HELD = 10_000;

    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) throws SQLException {
        assumeTrue(OutboxFixture.majorVersion(database) >= 15, "PostgreSQL 14 tells later what was read");
        this.database = database;
        outbox = new OutboxFixture(database);
        outbox.execute("insert into $schema.outbox_hold (destination, session_id, state, reason)"
                + " values ('orders', 'held', 'parked', 'x')");
        outbox.execute(
                "insert into $schema.outbox_held_message (hold_id, origin_position, origin_time, session_id, message_id,"
                        + " payload, headers) select h.id, n, now(), h.session_id, 'm' || n, 'x', '{}'"
                        + " from $schema.outbox_hold h, generate_series(1, " + HELD + ") n");
        outbox.execute("insert into $schema.outbox_claim (digest, claim, destination, message_id, bytes)"
                + " select gen_random_uuid(), gen_random_uuid(), 'orders', 'c' || n, 1 from generate_series(1, "
                + CLAIMS + ") n");
        outbox.execute("analyze $schema.outbox_held_message");
    }

    @Test
    void no_claim_has_all_held_messages_read() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            DSLContext alone = DSL.using(connection, SQLDialect.POSTGRES);
            var claims = new ClaimTable(alone, outbox.schema);
            long before = heldMessagesRead(alone);

            claims.notePublished(ClaimTable.START, CLAIMS);

            assertThat(heldMessagesRead(alone) - before).isLessThan(HELD);
        }
    }

    private long heldMessagesRead(DSLContext alone) {
        alone.execute("select pg_stat_force_next_flush()");
        return alone.fetchSingle("""
                        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_all_tables
                        where schemaname = {0} and relname = 'held_message'
                        """, DSL.val(outbox.schema.value())).get(0, Long.class);
    }
}
