package dev.waybill.standalone.replay;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;

/**
 * Starts a replay once, even if the request is repeated: the same selection with the same end identifies the run. Needs the
 * grants of {@code Role.OPERATOR}. Thread-safe.
 */
public final class ReplayStart {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final OutboxReplay replay;

    public ReplayStart(DataSource pool, SchemaName schema) {
        this.dsl = AutoCommitConnections.using(pool);
        this.schema = schema;
        this.replay = OutboxReplay.of(pool, schema);
    }

    /** The time of the database, which decides what a selection contains. */
    public Instant now() {
        return dsl.fetchSingle("select clock_timestamp()")
                .get(0, OffsetDateTime.class)
                .toInstant();
    }

    /**
     * Starts a run.
     *
     * @param selection with an end
     * @return the run; empty if it exists already or another caller is starting one
     */
    public Optional<UUID> once(ReplaySelection selection, AuditContext instruction) {
        return dsl.transactionResult(tx -> {
            boolean alone = tx.dsl()
                    .fetchSingle(
                            "select pg_try_advisory_xact_lock(hashtextextended({0}, 0))",
                            val("waybill replay " + schema + " " + selection.destination()))
                    .get(0, Boolean.class);
            if (!alone || isKnown(tx.dsl(), selection)) {
                return Optional.empty();
            }
            return Optional.of(replay.begin(selection, instruction.reason() + " (" + instruction.operator() + ")"));
        });
    }

    private boolean isKnown(DSLContext tx, ReplaySelection selection) {
        return tx.fetchSingle(
                        KNOWN.formatted(schema),
                        val(selection.destination()),
                        val(selection.session().orElse(null), SQLDataType.VARCHAR),
                        val(
                                selection
                                        .from()
                                        .map(from -> from.atOffset(ZoneOffset.UTC))
                                        .orElse(null),
                                SQLDataType.TIMESTAMPWITHTIMEZONE(6)),
                        val(selection.until().orElseThrow().atOffset(ZoneOffset.UTC)))
                .get(0, Boolean.class);
    }

    private static final String KNOWN = """
            select exists (
              select from %s.outbox_replay
              where destination = {0} and lower(session_id collate "C") is not distinct from lower({1} collate "C")
                and created_from = coalesce({2}, '-infinity') and created_until = {3})
            """;
}
