package dev.waybill.standalone.database;

import dev.waybill.schema.Page;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

public final class ReplayReader {
    private final DataSource pool;
    private final SchemaName schema;

    public ReplayReader(DataSource pool, SchemaName schema) {
        this.pool = pool;
        this.schema = schema;
    }

    public Page<Run> newest(int most) {
        Result<Record> found = DSL.using(pool, SQLDialect.POSTGRES).fetch(RUNS.formatted(schema), DSL.val(most));
        return Page.of(
                found.map(ReplayReader::run), found.isEmpty() ? 0 : found.get(0).get("runs", Long.class));
    }

    private static Run run(Record row) {
        return new Run(
                row.get("id", UUID.class),
                new Choice(
                        row.get("destination", String.class), Optional.ofNullable(row.get("session_id", String.class))),
                row.get("state", String.class),
                row.get("replayed", Long.class),
                row.get("started_at", OffsetDateTime.class).toInstant(),
                row.get("reason", String.class));
    }

    private static final String RUNS = """
            select id, destination, session_id, state, replayed, started_at, reason, count(*) over () as runs
            from %s.outbox_replay order by started_at desc, id limit {0}
            """;

    /** A replay, {@code running} until it is {@code done} or {@code abandoned}, even without a process. */
    public record Run(UUID id, Choice choice, String state, long replayed, Instant startedAt, String reason) {
        public String destination() {
            return choice.destination;
        }

        public Optional<String> session() {
            return choice.session;
        }
    }

    public record Choice(String destination, Optional<String> session) {}
}
