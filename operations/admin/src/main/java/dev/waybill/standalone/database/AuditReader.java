package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.Page;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Reads the audit of operators' actions. Needs the grants of {@code Role.READONLY}. Thread-safe. */
public final class AuditReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    public AuditReader(DataSource dataSource, SchemaName schema) {
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        this.schema = schema;
    }

    /** The newest entries first, with a total. Scans the whole audit. */
    public Page<Entry> newest(Choice choice, int most) {
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

    /** The actions of all entries. Scans the whole audit. */
    public Set<String> actions() {
        return new TreeSet<>(dsl.fetch("select distinct action from " + schema.table("operator_action"))
                .getValues(0, String.class));
    }

    /** The newest entries before a place, without a total. */
    public List<Entry> page(Choice choice, Optional<Place> behind, int most) {
        return dsl.fetch(
                        NEXT.formatted(DEEDS.formatted(schema), CHOSEN),
                        time(choice.from()),
                        time(choice.until()),
                        text(choice.operator()),
                        text(choice.action()),
                        text(choice.subject()),
                        val(most),
                        time(behind.map(Place::at)),
                        val(behind.map(Place::id).orElse(null), SQLDataType.BIGINT))
                .map(AuditReader::deed);
    }

    private static Entry deed(Record row) {
        return new Entry(
                row.get("at", OffsetDateTime.class).toInstant(),
                row.get("action", String.class),
                row.get("subject", String.class),
                new Word(
                        row.get("operator", String.class),
                        row.get("reason", String.class),
                        row.get("database_user", String.class)),
                new Place(row.get("at", OffsetDateTime.class).toInstant(), row.get("id", Long.class)));
    }

    private static Field<OffsetDateTime> time(Optional<Instant> time) {
        return val(
                time.map(instant -> instant.atOffset(ZoneOffset.UTC)).orElse(null),
                SQLDataType.TIMESTAMPWITHTIMEZONE(6));
    }

    private static Field<String> text(Optional<String> text) {
        return val(text.orElse(null), SQLDataType.VARCHAR);
    }

    /** A filter of entries; empty fields match everything, and the subject matches in part. */
    public record Choice(
            Optional<Instant> from,
            Optional<Instant> until,
            Optional<String> operator,
            Optional<String> action,
            Optional<String> subject) {}

    public record Place(Instant at, long id) {}

    /** An entry with an action such as {@code release}, {@code redrive}, {@code pause}. */
    public record Entry(Instant at, String action, String subject, Word word, Place place) {}

    /** Who gave the order, and why; {@code databaseUser} is the login of the database. */
    public record Word(String operator, String reason, String databaseUser) {}

    private static final String DEEDS = """
            select id, at, action, operator, reason, database_user, case subject_kind
                when 'outbox-hold' then 'outbox hold ' || subject || ' of ' || scope
                when 'inbox-hold' then 'inbox hold ' || subject || ' of ' || scope
                when 'scheduled-message' then 'message ' || subject || ' of ' || scope
                when 'replay' then 'replay of destination ' || scope || coalesce(', ' || (after ->> 'replayed') || ' messages', '')
                when 'erasure-order' then 'order ' || subject || ' about a ' || scope
                when 'dead-letter' then case
                  when scope is not null then 'dead letters, run ' || scope
                  when subject = '' then 'dead letters'
                  else 'dead letter ' || array_to_string((string_to_array(subject, ' '))[1 : 5], ', ') || case
                    when cardinality(string_to_array(subject, ' ')) > 5
                      then ' and ' || cardinality(string_to_array(subject, ' ')) - 5 || ' more' else '' end
                  end
                else subject_kind || ' ' || subject
              end as subject
            from %1$s.operator_action
            """;

    private static final String CHOSEN = """
            at >= coalesce({0}, '-infinity') and at < coalesce({1}, 'infinity')
              and ({2} is null or operator = {2}) and ({3} is null or action = {3})
              and ({4} is null or position({4} in subject) > 0)
            """;

    private static final String NEWEST =
            "select *, count(*) over () as deeds from (%s) deeds where %s order by at desc, id desc limit {5}";

    private static final String NEXT = """
            select * from (%s) deeds where %s and at <= coalesce({6}, 'infinity')
              and ({6} is null or (at, id) < ({6}, {7}))
            order by at desc, id desc limit {5}
            """;
}
