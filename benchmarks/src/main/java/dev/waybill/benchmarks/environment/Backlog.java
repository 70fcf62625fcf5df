package dev.waybill.benchmarks.environment;

import java.util.Random;
import org.jooq.impl.DSL;

/** Rows that wait in an outbox, evenly over the relay's buckets. */
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

    private static final int ROWS_PER_TRANSACTION = 10;

    // Sessions are chosen by their bucket: with an uneven choice the last pages would be half empty.
    private static final String PREPARE = """
            create table if not exists %1$s.bench_session as
            with candidates as (
              select 's' || n as session, row_number() over (
                partition by hashtextextended(('s' || n) collate "C", 0) & 31 order by n) as place
              from generate_series(1, 4 * %2$d) n
            )
            select (row_number() over (order by place, session))::int - 1 as number, session
            from candidates where place <= %2$d / 32;

            create unique index if not exists bench_session_number on %1$s.bench_session (number);
            analyze %1$s.bench_session;

            create or replace procedure %1$s.bench_fill(total int, per_transaction int, body bytea)
            language plpgsql as $$
            begin
              -- Filling is not measured and need not wait for the disk.
              perform set_config('synchronous_commit', 'off', false);
              for head in 1..total by per_transaction loop
                insert into %1$s.outbox_message (
                  destination, session_id, message_id, subject, content_type, payload)
                select '%3$s', s.session, 'm' || n, '%4$s', '%5$s', body
                from generate_series(head, least(head + per_transaction - 1, total)) n
                join %1$s.bench_session s on s.number = n %% %2$d
                order by n;
                commit;
              end loop;
              perform set_config('synchronous_commit', 'on', false);
              commit;
            end $$
            """;

    private Backlog() {}

    /** Appends so many rows as many transactions of an application would have. */
    public static void fill(OutboxSchema schema, int rows) {
        fill(schema, rows, ROWS_PER_TRANSACTION);
    }

    /** Appends so many rows as an import in one transaction would have. */
    public static void fillInOneTransaction(OutboxSchema schema, int rows) {
        fill(schema, rows, rows);
    }

    private static void fill(OutboxSchema schema, int rows, int perTransaction) {
        schema.runScript(PREPARE.formatted(schema.name(), SESSIONS, DESTINATION, SUBJECT, CONTENT_TYPE));
        schema.dsl()
                .execute(
                        "call " + schema.name().table("bench_fill") + "({0}, {1}, {2})",
                        DSL.val(rows),
                        DSL.val(perTransaction),
                        DSL.val(payload()));
        // Leaves nothing for the first reader to do that a smaller backlog's analyze would have done for it.
        schema.dsl().execute("vacuum (analyze) " + schema.name().table("outbox_message"));
    }

    /** The same incompressible bytes every time. */
    public static byte[] payload() {
        var payload = new byte[PAYLOAD_BYTES];
        new Random(SEED).nextBytes(payload);
        return payload;
    }
}
