package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.Page;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * What operators did: to holds, dead letters, pauses, replays, and by orders to forget. A pause by a program is known while it
 * stands. Needs the grants of {@code Role.READONLY}. Thread-safe.
 */
public final class AuditReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    /** The records in a schema. */
    public AuditReader(DataSource dataSource, SchemaName schema) {
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        this.schema = schema;
    }

    /** The newest first. */
    public Page<Deed> newest(Choice choice, int most) {
        Result<Record> found = dsl.fetch(
                DEEDS.formatted(schema),
                time(choice.from()),
                time(choice.until()),
                text(choice.operator()),
                text(choice.action()),
                val(most));
        return Page.of(
                found.map(AuditReader::deed), found.isEmpty() ? 0 : found.get(0).get("deeds", Long.class));
    }

    private static Deed deed(Record row) {
        return new Deed(
                row.get("at", OffsetDateTime.class).toInstant(),
                row.get("action", String.class),
                row.get("subject", String.class),
                new Word(
                        row.get("operator", String.class),
                        row.get("reason", String.class),
                        row.get("database_user", String.class)));
    }

    private static Field<OffsetDateTime> time(Optional<Instant> time) {
        return val(
                time.map(instant -> instant.atOffset(ZoneOffset.UTC)).orElse(null),
                SQLDataType.TIMESTAMPWITHTIMEZONE(6));
    }

    private static Field<String> text(Optional<String> text) {
        return val(text.orElse(null), SQLDataType.VARCHAR);
    }

    /** Which deeds; empty ones narrow nothing. */
    public record Choice(
            Optional<Instant> from, Optional<Instant> until, Optional<String> operator, Optional<String> action) {}

    /**
     * A deed.
     *
     * @param action such as {@code release}, {@code redrive}, {@code pause}
     * @param subject to what it was done
     */
    public record Deed(Instant at, String action, String subject, Word word) {}

    /**
     * On whose word.
     *
     * @param databaseUser who was logged in to the database
     */
    public record Word(String operator, String reason, String databaseUser) {}

    // A replay has a reason alone, and so has a pause by a program or by a version before 18: commands write "reason
    // (operator)" there.
    private static final String DEEDS = """
            select *, count(*) over () as deeds from (
              select at, action, side || ' hold ' || key || ' of ' || scope as subject, operator, reason, database_user
              from %1$s.hold_audit
              union all
              select at, action, case
                  when redrive is not null then 'dead letters, run ' || redrive
                  when cardinality(dead_letters) = 0 then 'dead letters'
                  else 'dead letter ' || array_to_string(dead_letters[1 : 5], ', ') || case
                    when cardinality(dead_letters) > 5 then ' and ' || cardinality(dead_letters) - 5 || ' more' else '' end
                end, operator, reason, database_user
              from %1$s.dead_letter_audit
              union all
              select at, action, 'destination ' || destination, operator, reason, database_user
              from %1$s.outbox_pause_audit
              union all
              select paused_at, 'pause', 'destination ' || destination,
                coalesce(substring(reason from '\\(([^()]*)\\)$'), paused_by), reason, paused_by
              from %1$s.outbox_pause p
              where not exists (
                select from %1$s.outbox_pause_audit a where a.destination = p.destination and a.at >= p.paused_at)
              union all
              select started_at, 'replay', 'destination ' || destination || ', ' || replayed || ' messages, ' || state,
                coalesce(substring(reason from '\\(([^()]*)\\)$'), started_by), reason, started_by
              from %1$s.outbox_replay
              union all
              select ordered_at, 'erase', 'order ' || digest || ' about a ' || kind, operator, reason, database_user
              from %1$s.erasure_order
            ) deeds
            where ({0} is null or at >= {0}) and ({1} is null or at < {1})
              and ({2} is null or operator = {2}) and ({3} is null or action = {3})
            order by at desc
            limit {4}
            """;
}
