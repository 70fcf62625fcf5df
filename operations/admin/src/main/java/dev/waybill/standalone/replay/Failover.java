package dev.waybill.standalone.replay;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.OperatorAction;
import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import dev.waybill.message.MessageContent;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Publisher;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Lets a destination send again what a lost namespace had accepted. The retained rows return to the outbox with their ids and
 * sequence values. So a session keeps its order, before what was appended since; and the inbox, or the new broker's duplicate
 * detection, recognises what it has seen. Held messages of such sessions return with them. {@link OutboxReplay} serves where the namespace still has the messages: its copies have
 * ids of their own, and come last.
 *
 * <p>The rows are the state: a step moves some and is one transaction, so whoever repeats the command goes on. Thread-safe.
 */
public final class Failover {
    private static final Instant EVER = Instant.EPOCH;
    private static final int STEP = 1_000;

    private final DSLContext dsl;
    private final SchemaName schema;
    private final SqlFiles sql;

    private Failover(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
        this.sql = new SqlFiles(Failover.class, schema);
    }

    public static Failover of(DataSource pool, SchemaName schema) {
        return in(AutoCommitConnections.using(pool), schema);
    }

    static Failover in(DSLContext dsl, SchemaName schema) {
        return new Failover(dsl, schema);
    }

    /**
     * What is sent again.
     *
     * @param since the time of publication, by the database's clock; empty for all that is retained
     * @throws FeatureMissing if the tables of published messages are not installed
     */
    public Extent extent(String destination, Optional<Instant> since) {
        FeatureMissing.require(dsl, schema, "outbox_published");
        Record row = dsl.fetchSingle(
                sql.get("failover-count"), val(destination), time(since), bodiless(dsl, destination, since));
        return new Extent(
                row.get("again", Long.class),
                row.get("sessions", Long.class),
                new Ages(instant(row, "oldest"), instant(row, "newest"), instant(row, "written")),
                new Exceptions(
                        row.get("held", Long.class), row.get("bodiless", Long.class), row.get("expired", Long.class)),
                row.get("reset", Boolean.class));
    }

    /** The first messages that are sent again, without moving them: to try the new namespace. */
    public List<OutboxRow> first(String destination, Optional<Instant> since, int most) {
        return dsl.fetch(
                        sql.get("failover-first"),
                        val(destination),
                        time(since),
                        bodiless(dsl, destination, since),
                        val(most))
                .map(row -> OutboxRow.of(row.get("seq", Long.class), content(row)));
    }

    /** Writes to the audit how many messages a {@link Run} is to move, and when they were published. */
    public void begin(String destination, Extent extent, AuditContext instruction) {
        new OperatorAction(
                        "failover",
                        new Subject(Kind.DESTINATION, destination, null),
                        instruction.operator(),
                        instruction.reason())
                .write(schema.in(dsl), null, JSONB.valueOf(text(extent)));
    }

    private static String text(Extent extent) {
        return "{\"again\": " + extent.again()
                + extent.ages().oldest().map(at -> ", \"from\": \"" + at + "\"").orElse("")
                + extent.ages()
                        .newest()
                        .map(at -> ", \"until\": \"" + at + "\"")
                        .orElse("") + "}";
    }

    /** The last failover, if all that is retained was published since it began, so that a broker has accepted it again. */
    public Optional<Last> completed(String destination, Extent extent) {
        return dsl.fetchOptional(sql.get("failover-last"), val(destination))
                .map(row -> new Last(
                        instant(row, "at").orElseThrow(),
                        row.get("operator", String.class),
                        row.get("reason", String.class)))
                .filter(last ->
                        extent.ages().oldest().filter(last.at()::isBefore).isPresent());
    }

    /** Begins to move; a run that ends in between is followed by another one. */
    public Run run(String destination, Optional<Instant> since) {
        return new Run(destination, since, bodiless(dsl, destination, since));
    }

    /** The entity that a migration has put into force; null for that of the configuration. */
    public Publisher.@Nullable Entity entity(String destination) {
        return dsl.fetchOptional(sql.get("failover-entity"), val(destination))
                .map(row -> new Publisher.Entity(
                        row.get("entity", String.class), row.get("entity_partitioned", Boolean.class)))
                .orElse(null);
    }

    /** One pass over the messages of a destination. Not thread-safe. */
    public final class Run {
        private final String destination;
        private final Optional<Instant> since;
        private final Field<Long[]> bodiless;
        private @Nullable Long last = 0L;

        private Run(String destination, Optional<Instant> since, Field<Long[]> bodiless) {
            this.destination = destination;
            this.since = since;
            this.bodiless = bodiless;
        }

        /** Whether the last step came to the end. */
        public boolean isDone() {
            return last == null;
        }

        /**
         * Returns the next rows to the outbox, in one transaction.
         *
         * @return their number, which may be 0 before the end
         * @throws IllegalStateException if the destination is not paused: what waits would pass what comes back; or if what
         *     waits has the values of held messages, after a reset of the sequence
         */
        public int step() {
            Record row = DeadlockRetry.of(() -> dsl.transactionResult(tx -> step(tx.dsl())));
            last = row.get("last", Long.class);
            return row.get("moved", Long[].class).length;
        }

        private Record step(DSLContext tx) {
            Locking.beginDurable(tx);
            // Keeps a message that is being erased from coming back.
            boolean erasures =
                    tx.fetchSingle("select " + schema + ".erasure_gate()").get(0, Boolean.class);
            if (tx.fetch(sql.get("failover-lock"), val(destination)).isEmpty()) {
                throw new IllegalStateException(
                        "'" + destination
                                + "' is not paused: pause it, so that what waits does not pass what comes back, and repeat the command");
            }
            if (Objects.requireNonNull(last) == 0) {
                unhold(tx, erasures);
            }
            Record row = tx.fetchSingle(
                    sql.get("failover-move"),
                    val(destination),
                    time(since),
                    bodiless,
                    val(STEP),
                    val(Objects.requireNonNull(last)),
                    val(erasures));
            Long[] moved = row.get("moved", Long[].class);
            if (moved.length > 0 && hasClaims(tx)) {
                tx.execute(sql.get("failover-bodies"), val(destination), val(moved));
            }
            return row;
        }

        private void unhold(DSLContext tx, boolean erasures) {
            try {
                tx.execute(sql.get("failover-unhold"), val(destination), time(since), val(erasures));
            } catch (DataAccessException e) {
                if (!SqlError.CONSTRAINT.is(e.sqlState())) {
                    throw e;
                }
                throw new IllegalStateException(
                        "Others wait under the sequence values of held messages of '" + destination
                                + "': the database was moved without its sequences. 'waybill-relay replay start "
                                + destination + "' sends copies, behind all that waits; then resume it",
                        e);
            }
            tx.execute(sql.get("failover-unhold-end"), val(destination));
        }
    }

    private boolean hasClaims(DSLContext in) {
        return FeatureMissing.isInstalled(in, schema, "outbox_claim");
    }

    private Field<Long[]> bodiless(DSLContext in, String destination, Optional<Instant> since) {
        return val(
                hasClaims(in)
                        ? in.fetch(sql.get("failover-bodiless"), val(destination), time(since))
                                .intoArray(0, Long.class)
                        : new Long[0]);
    }

    private static Field<OffsetDateTime> time(Optional<Instant> since) {
        return val(since.orElse(EVER).atOffset(ZoneOffset.UTC), SQLDataType.TIMESTAMPWITHTIMEZONE(6));
    }

    private static Optional<Instant> instant(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static MessageContent content(Record row) {
        @Nullable Long timeToLive = row.get("time_to_live", Long.class);
        return MessageContent.builder(row.get("message_id", String.class))
                .brokerMessageId(row.get("broker_message_id", String.class))
                .sessionId(row.get("session_id", String.class))
                .partitionKey(row.get("partition_key", String.class))
                .subject(row.get("subject", String.class))
                .contentType(row.get("content_type", String.class))
                .correlationId(row.get("correlation_id", String.class))
                .toAddress(row.get("to_address", String.class))
                .replyTo(row.get("reply_to", String.class))
                .replyToSessionId(row.get("reply_to_session_id", String.class))
                .timeToLive(timeToLive == null ? null : Duration.ofMillis(timeToLive))
                .scheduledEnqueueTime(instant(row, "scheduled_enqueue_time").orElse(null))
                .headers(row.get("headers", String.class))
                .body(row.get("payload", byte[].class))
                .build();
    }

    /**
     * The extent of a failover.
     *
     * @param again messages that return to the outbox
     * @param sequenceReset whether {@code outbox_seq} is behind them, so that they would come after what waits
     */
    public record Extent(long again, long sessions, Ages ages, Exceptions exceptions, boolean sequenceReset) {}

    public record Last(Instant at, String operator, String reason) {}

    /**
     * Times of the messages that return, by the database's clock; empty if there are none.
     *
     * @param oldest when the first was published
     * @param newest when the last was published
     * @param written when the first was appended
     */
    public record Ages(Optional<Instant> oldest, Optional<Instant> newest, Optional<Instant> written) {}

    /**
     * Messages that are no part of what is sent again.
     *
     * @param held messages that the broker had refused, and those behind them: they return to the outbox with their sessions
     * @param bodiless messages that stay, because their bodies in the claim store are gone
     * @param expired messages that stay, because their time to live is over
     */
    public record Exceptions(long held, long bodiless, long expired) {}
}
