package dev.waybill.benchmarks.environment;

import java.util.Random;
import org.jooq.impl.DSL;

/** Rows that wait in an outbox, as one transaction would have written them, evenly over the relay's buckets. */
public final class Backlog {
    /** Bytes of each payload. */
    public static final int PAYLOAD_BYTES = 1024;

    /** Where the rows go. */
    public static final String DESTINATION = "bench";

    /** Content type of each message. */
    public static final String CONTENT_TYPE = "application/json";

    /** Subject of each message. */
    public static final String SUBJECT = "Benched";

    /** Sessions in a backlog: 16 in each of 32 buckets. */
    public static final int SESSIONS = 512;

    private static final long SEED = 17;

    // Sessions are chosen by their bucket: with an uneven choice the last pages would be half empty.
    private static final String FILL = """
            with candidates as (
              select 's' || n as session, row_number() over (
                partition by hashtextextended(('s' || n) collate "C", 0) & 31 order by n) as place
              from generate_series(1, 4 * %3$d) n
            ), sessions as (
              select session, (row_number() over (order by place, session)) - 1 as number
              from candidates where place <= %3$d / 32
            )
            insert into %1$s.outbox_message (destination, session_id, message_id, subject, content_type, payload)
            select '%2$s', s.session, 'm' || i, '%4$s', '%5$s', {0}
            from generate_series({1}, {2}) i join sessions s on s.number = i %% %3$d
            order by i
            """;

    private Backlog() {}

    /** Appends rows with message ids from {@code m<first>}. */
    public static void fill(OutboxSchema schema, int first, int count) {
        String sql = FILL.formatted(schema.name(), DESTINATION, SESSIONS, SUBJECT, CONTENT_TYPE);
        schema.dsl().execute(sql, DSL.val(payload()), DSL.val(first), DSL.val(first + count - 1));
        schema.dsl().execute("analyze " + schema.name().table("outbox_message"));
    }

    /** The same incompressible bytes every time. */
    public static byte[] payload() {
        var payload = new byte[PAYLOAD_BYTES];
        new Random(SEED).nextBytes(payload);
        return payload;
    }
}
