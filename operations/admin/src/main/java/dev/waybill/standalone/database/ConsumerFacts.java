package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads facts about consumers with bounded counts. Needs the grants of {@code Role.READONLY}. Thread-safe. */
public final class ConsumerFacts {
    private static final int MOST_WANTED = 10_000;

    private final DSLContext dsl;
    private final SchemaName schema;

    public ConsumerFacts(DataSource pool, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    /** A consumer with the start of its continuous work, its longest handler run, and at most 10,000 wanted deferrals. */
    public record Fact(ConsumerView view, Optional<Instant> since, Optional<Duration> longestAttempt, long wanted) {
        private static Fact of(ConsumerView view) {
            return new Fact(view, Optional.empty(), Optional.empty(), 0);
        }
    }

    public List<Fact> all() {
        var more = new HashMap<String, Record>();
        dsl.fetch(MORE.formatted(schema), val(MOST_WANTED))
                .forEach(row -> more.put(row.get("name", String.class), row));
        return new ConsumerReader(dsl, schema)
                .counted().stream()
                        .map(view -> Optional.ofNullable(more.get(view.name()))
                                .map(row -> fact(view, row))
                                .orElseGet(() -> Fact.of(view)))
                        .toList();
    }

    /** The estimated number of remembered ids; -1 if PostgreSQL has no estimate. */
    public long ids() {
        return dsl.fetchSingle(
                        "select reltuples::bigint from pg_catalog.pg_class where oid = to_regclass({0})",
                        DSL.inline(schema.table("inbox_message")))
                .get(0, Long.class);
    }

    private static Fact fact(ConsumerView view, Record row) {
        return new Fact(
                view,
                Optional.ofNullable(row.get("since", OffsetDateTime.class)).map(OffsetDateTime::toInstant),
                Optional.ofNullable(row.get("longest", Long.class)).map(Duration::ofMillis),
                row.get("wanted", Long.class));
    }

    private static final String MORE = """
            select n.name, c.alive_since as since,
              (select max(longest_attempt) from %1$s.inbox_instance i
               where i.consumer = n.name and i.alive_until > clock_timestamp()) as longest,
              (select count(*) from (
                select from %1$s.inbox_deferral d where d.consumer = n.name and d.resume_at is not null limit {0}) x) as wanted
            from (select name from %1$s.inbox_consumer union select consumer from %1$s.inbox_instance) n
            left join %1$s.inbox_consumer c using (name)
            """;
}
