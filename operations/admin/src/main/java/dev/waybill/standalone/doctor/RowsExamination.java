package dev.waybill.standalone.doctor;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.topology.AzureCommands;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Examines the newest pending rows of a destination for mistakes of their writers. */
final class RowsExamination {
    /** With fewer messages, a pattern may be chance. */
    private static final long ENOUGH = 100;

    /** A destination has this many lanes; fewer sessions leave lanes unused. */
    private static final long FEW_SESSIONS = 32;

    private static final double NEARLY_TOO_LARGE = 0.9;
    private static final int SAMPLE = 20_000;

    private final DestinationSettings destination;
    private final NamespaceSettings namespace;
    private final DSLContext dsl;
    private final SchemaName schema;
    private final Findings findings;
    private final AzureCommands azure;
    private final String where;

    RowsExamination(
            DatabaseSettings database,
            DestinationSettings destination,
            NamespaceSettings namespace,
            DataSource pool,
            Findings findings,
            AzureCommands azure) {
        this.destination = destination;
        this.namespace = namespace;
        this.dsl = DSL.using(pool, SQLDialect.POSTGRES);
        this.schema = database.schema();
        this.findings = findings;
        this.azure = azure;
        this.where = "database " + database.name() + ", " + destination.name();
    }

    void run(Optional<EntityProperties> facts) {
        Record rows = dsl.fetchSingle(SHAPE.formatted(schema, SAMPLE), val(destination.name()));
        long messages = rows.get("messages", Long.class);
        if (messages == 0) {
            return;
        }
        if (destination.form().sessions()) {
            sessions(messages, rows);
        }
        sizes(rows.get("largest", Long.class), facts);
        freshIds(rows.get("same_content", Long.class), messages);
        Duration window = facts.map(entity -> entity.form().duplicateWindow())
                .orElse(destination.form().duplicateWindow());
        if (!window.isZero()) {
            dropped(window);
        }
        ttl(rows.get("with_ttl", Long.class), facts);
    }

    private void sessions(long messages, Record rows) {
        long sessions = rows.get("sessions", Long.class);
        long without = rows.get("without_session", Long.class);
        if (without > 0) {
            findings.error(
                    Diagnosis.ORDER_INTERLEAVES,
                    where,
                    without + " of " + messages + " messages have no session",
                    "declare the destination to the outbox with sessions, so that append refuses them");
        }
        if (messages < ENOUGH) {
            return;
        }
        if (sessions == 1) {
            findings.error(
                    Diagnosis.ORDER_INTERLEAVES,
                    where,
                    "all " + messages + " messages have the same session id: everything is one line",
                    "use the id of what must stay in order: a customer, an account, an order");
        } else if (sessions == messages) {
            findings.error(
                    Diagnosis.ORDER_INTERLEAVES,
                    where,
                    messages + " messages have as many session ids: nothing is in any order",
                    "use the id of what must stay in order: a customer, an account, an order");
        } else if (sessions > 1 && sessions < FEW_SESSIONS) {
            findings.warning(
                    Diagnosis.FEW_SESSIONS,
                    where,
                    messages + " messages share " + sessions + " sessions; that many handlers and no more can work",
                    "choose a finer id, or give up order where none is needed");
        }
    }

    private void sizes(long largest, Optional<EntityProperties> facts) {
        long declared = destination.form().maxMessageSize() > 0
                ? destination.form().maxMessageSize()
                : namespace.tier().largestMessage();
        long limit = facts.map(entity -> entity.form().maxMessageSize())
                .filter(bytes -> bytes > 0)
                .map(told -> Math.min(told, declared))
                .orElse(declared);
        if (largest > limit) {
            findings.error(
                    Diagnosis.MESSAGE_TOO_LARGE,
                    where,
                    "the largest message has " + largest + " bytes, the limit is " + limit,
                    "declare the limit to the outbox, so that append refuses it; keep large bodies by claim check");
        } else if (largest > limit * NEARLY_TOO_LARGE) {
            findings.warning(
                    Diagnosis.MESSAGE_TOO_LARGE,
                    where,
                    "the largest message has " + largest + " bytes, the limit is " + limit,
                    "keep bodies above a size by claim check (Destination.withClaimsAbove)");
        }
    }

    private void freshIds(long sameContent, long messages) {
        if (sameContent >= 3 && sameContent * 100 >= messages) {
            findings.warning(
                    Diagnosis.DUPLICATES_GET_THROUGH,
                    where,
                    sameContent + " of " + messages
                            + " messages say the same as another of their session, under an id of their own",
                    "make ids from business keys: a new id for each try defeats every detection");
        }
    }

    private void dropped(Duration window) {
        Record twice =
                dsl.fetchSingle(TWICE.formatted(schema, SAMPLE), val(destination.name()), val(window.toMillis()));
        long count = twice.get("count", Long.class);
        if (count > 0) {
            findings.error(
                    Diagnosis.REDRIVE_LOSES,
                    where,
                    count + " messages were appended again under a MessageId that was"
                            + " used less than " + Times.text(window) + " before, such as '" + twice.get("id")
                            + "': the broker drops them",
                    "nothing, if the same event was appended twice; else re-drive by the means that give the copy a new MessageId and keep the logical id");
        }
    }

    private void ttl(long count, Optional<EntityProperties> facts) {
        boolean drops = facts.filter(
                        entity -> !entity.form().topic() && !entity.receiving().deadLetterOnExpiry())
                .isPresent();
        if (count > 0 && drops) {
            findings.error(
                    Diagnosis.EXPIRES_SILENTLY,
                    where,
                    count + " messages have a time to live of their own, and the" + " entity drops what has expired",
                    azure.update(destination, "--enable-dead-lettering-on-message-expiration true"));
        }
    }

    private static final String NEWEST = """
            select * from %1$s.outbox_message
            where destination = {0} and seq > (select last_value from %1$s.outbox_seq) - %2$s
            """;

    private static final String SHAPE = "with newest as (" + NEWEST + ")" + """
            , same as (
              select count(*) - 1 as more from newest
              where coalesce(headers->>'waybill-redrive', '') = '' and broker_message_id is null
              group by session_id, subject, md5(payload) having count(distinct message_id) > 1 and octet_length(min(payload::text)) > 4
            )
            select count(*) as messages, count(distinct lower(session_id)) as sessions,
              count(*) filter (where session_id is null) as without_session,
              count(*) filter (where time_to_live is not null) as with_ttl,
              coalesce(max(octet_length(payload) + octet_length(coalesce(headers::text, '')) + 512), 0) as largest,
              (select coalesce(sum(more), 0)::bigint from same) as same_content
            from newest
            """;

    private static final String TWICE = "with newest as (" + NEWEST + ")" + """
            , ids as (
              select coalesce(broker_message_id, message_id) as id, created_at,
                lag(created_at) over (partition by coalesce(broker_message_id, message_id) order by seq) as before
              from newest
            )
            select count(*) as count, min(id) as id from ids
            where created_at - before < {1} * interval '1 millisecond'
            """;
}
