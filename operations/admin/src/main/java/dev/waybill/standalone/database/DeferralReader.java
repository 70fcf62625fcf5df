package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

public final class DeferralReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    public DeferralReader(DataSource pool, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    /**
     * A deferred message: waiting, forgotten (deferred for a day without a request), wanted or leaving; in a hold, or on the
     * broker.
     */
    public record Deferral(
            UUID key,
            Named named,
            String deferKey,
            String state,
            Times times,
            @Nullable Long hold) {}

    public record Named(
            String consumer, String messageId, @Nullable String session, long sequenceNumber) {}

    /** When the message was deferred, and when it resumes; null without a request. */
    public record Times(Instant deferredAt, @Nullable Instant resumeAt, int tries) {}

    public record Place(String consumer, String deferKey, UUID key) {}

    /** Deferrals by consumer and key, behind a place. */
    public List<Deferral> page(Optional<String> consumer, Optional<String> deferKey, @Nullable Place after, int most) {
        return dsl.fetch(
                        PAGE.formatted(schema),
                        text(consumer.orElse(null)),
                        text(deferKey.orElse(null)),
                        text(after == null ? null : after.consumer),
                        text(after == null ? null : after.deferKey),
                        val(after == null ? null : after.key, SQLDataType.UUID),
                        val(most))
                .map(DeferralReader::deferral);
    }

    private static Field<String> text(@Nullable String text) {
        return val(text, SQLDataType.VARCHAR);
    }

    private static Deferral deferral(Record row) {
        @Nullable OffsetDateTime resume = row.get("resume_at", OffsetDateTime.class);
        return new Deferral(
                row.get("key", UUID.class),
                new Named(
                        row.get("consumer", String.class),
                        row.get("message_id", String.class),
                        row.get("session_id", String.class),
                        row.get("sequence_number", Long.class)),
                row.get("defer_key", String.class),
                row.get("state", String.class),
                new Times(
                        row.get("deferred_at", OffsetDateTime.class).toInstant(),
                        resume == null ? null : resume.toInstant(),
                        row.get("tries", Integer.class)),
                row.get("hold_id", Long.class));
    }

    private static final String PAGE = """
            select key, consumer, message_id, session_id, sequence_number, defer_key, deferred_at, resume_at, tries, hold_id,
              case when gone_by is not null then 'leaving' when resume_at is not null then 'wanted'
                when deferred_at < clock_timestamp() - interval '1 day' then 'forgotten' else 'waiting' end as state
            from %s.inbox_deferral
            where ({0} is null or consumer = {0}) and ({1} is null or defer_key = {1})
              and (consumer, defer_key) >= (coalesce({2}, ''), coalesce({3}, ''))
              and ({4} is null or (consumer, defer_key, key) > ({2}, {3}, {4}))
            order by consumer, defer_key, key limit {5}
            """;
}
