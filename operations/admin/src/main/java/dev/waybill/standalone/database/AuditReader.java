package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.Page;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Reads the deeds of operators: to holds, dead letters, pauses, replays, and by orders to forget. A pause by a program is
 * known while it stands. Needs the grants of {@code Role.READONLY}. Thread-safe.
 */
public final class AuditReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    /** The records in a schema. */
    public AuditReader(DataSource dataSource, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), dataSource, schema);
        this.schema = schema;
    }

    /** The newest first, with a count of all. Looks through all records. */
    public Page<Deed> newest(Choice choice, int most) {
        Result<Record> found = dsl.fetch(
                NEWEST.formatted(DEEDS.formatted(schema), CHOSEN),
                time(choice.from()),
                time(choice.until()),
                text(choice.operator()),
                text(choice.action()),
                text(choice.subject()),
                val(most));
        return Page.of(
                found.map(AuditReader::deed), found.isEmpty() ? 0 : found.get(0).get("deeds", Long.class));
    }

    /**
     * The newest first, without a count.
     *
     * @param behind only those before this place; empty for the newest ones
     */
    public List<Deed> page(Choice choice, Optional<Place> behind, int most) {
        String each = List.of(DEEDS.formatted(schema).split("union all")).stream()
                .map(source -> NEXT_OF_EACH.formatted(source, CHOSEN))
                .collect(Collectors.joining(" union all "));
        return dsl.fetch(
                        "select * from (" + each + ") deeds order by at desc, source desc, id desc limit {5}",
                        time(choice.from()),
                        time(choice.until()),
                        text(choice.operator()),
                        text(choice.action()),
                        text(choice.subject()),
                        val(most),
                        time(behind.map(Place::at)),
                        text(behind.map(Place::source)),
                        val(behind.map(Place::id).orElse(null), SQLDataType.BIGINT))
                .map(AuditReader::deed);
    }

    private static Deed deed(Record row) {
        return new Deed(
                row.get("at", OffsetDateTime.class).toInstant(),
                row.get("action", String.class),
                row.get("subject", String.class),
                new Word(
                        row.get("operator", String.class),
                        row.get("reason", String.class),
                        row.get("database_user", String.class)),
                new Place(
                        row.get("at", OffsetDateTime.class).toInstant(),
                        row.get("source", String.class),
                        row.get("id", Long.class)));
    }

    private static Field<OffsetDateTime> time(Optional<Instant> time) {
        return val(
                time.map(instant -> instant.atOffset(ZoneOffset.UTC)).orElse(null),
                SQLDataType.TIMESTAMPWITHTIMEZONE(6));
    }

    private static Field<String> text(Optional<String> text) {
        return val(text.orElse(null), SQLDataType.VARCHAR);
    }

    /**
     * Which deeds; empty ones narrow nothing.
     *
     * @param subject a part of what it was done to
     */
    public record Choice(
            Optional<Instant> from,
            Optional<Instant> until,
            Optional<String> operator,
            Optional<String> action,
            Optional<String> subject) {}

    /** A place in the audit. */
    public record Place(Instant at, String source, long id) {}

    /**
     * A deed.
     *
     * @param action such as {@code release}, {@code redrive}, {@code pause}
     * @param subject to what it was done
     * @param place where it stands
     */
    public record Deed(Instant at, String action, String subject, Word word, Place place) {}

    /**
     * On whose word.
     *
     * @param databaseUser who was logged in to the database
     */
    public record Word(String operator, String reason, String databaseUser) {}

    // A replay has a reason alone, and so has a pause by a program or by a version before 18: commands write "reason
    // (operator)" there.
    private static final String DEEDS = """
            select at, 'hold' as source, id, action, side || ' hold ' || key || ' of ' || scope as subject,
              operator, reason, database_user
            from %1$s.hold_audit
            union all
            select at, 'letter' as source, id, action, case
                when redrive is not null then 'dead letters, run ' || redrive
                when cardinality(dead_letters) = 0 then 'dead letters'
                else 'dead letter ' || array_to_string(dead_letters[1 : 5], ', ') || case
                  when cardinality(dead_letters) > 5 then ' and ' || cardinality(dead_letters) - 5 || ' more' else '' end
              end as subject, operator, reason, database_user
            from %1$s.dead_letter_audit
            union all
            select at, 'pause' as source, id, action, 'destination ' || destination as subject, operator, reason, database_user
            from %1$s.outbox_pause_audit
            union all
            select at, 'scheduled' as source, id, 'cancel' as action, 'message ' || message_id || ' of ' || destination as subject,
              operator, reason, database_user
            from %1$s.outbox_scheduled_audit
            union all
            select paused_at as at, 'standing' as source, hashtextextended(destination, 0) as id, 'pause' as action,
              'destination ' || destination as subject,
              coalesce(substring(reason from '\\(([^()]*)\\)$'), paused_by) as operator, reason, paused_by as database_user
            from %1$s.outbox_pause p
            where not exists (
              select from %1$s.outbox_pause_audit a where a.destination = p.destination and a.at >= p.paused_at)
            union all
            select started_at as at, 'replay' as source, hashtextextended(id::text, 0) as id, 'replay' as action,
              'destination ' || destination || ', ' || replayed || ' messages, ' || state as subject,
              coalesce(substring(reason from '\\(([^()]*)\\)$'), started_by) as operator, reason,
              started_by as database_user
            from %1$s.outbox_replay
            union all
            select changed_at as at, 'replay-end' as source, hashtextextended(id::text, 0) as id, 'abandon' as action,
              'replay of destination ' || destination || ', ' || replayed || ' messages' as subject,
              abandoned_by as operator, abandoned_because as reason, abandoned_as as database_user
            from %1$s.outbox_replay where state = 'abandoned' and abandoned_by is not null
            union all
            select ordered_at as at, 'order' as source, hashtextextended(digest::text, 0) as id, 'erase' as action,
              'order ' || digest || ' about a ' || kind as subject, operator, reason, database_user
            from %1$s.erasure_order
            """;

    private static final String CHOSEN = """
            at >= coalesce({0}, '-infinity') and at < coalesce({1}, 'infinity')
              and ({2} is null or operator = {2}) and ({3} is null or action = {3})
              and ({4} is null or position({4} in subject) > 0)
            """;

    private static final String NEWEST =
            "select *, count(*) over () as deeds from (%s) deeds where %s order by at desc, source desc, id desc limit {5}";

    // Each from its own index, so that a page costs as much at the end of a long audit as at its beginning.
    private static final String NEXT_OF_EACH = """
            (select * from (%s) each where %s and at <= coalesce({6}, 'infinity')
              and ({6} is null or (at, source, id) < ({6}, {7}, {8}))
            order by at desc, id desc limit {5})
            """;
}
