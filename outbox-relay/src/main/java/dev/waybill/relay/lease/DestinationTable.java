package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.Publisher;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The rows of {@code outbox_destination}, for claims and releases. Immutable and thread-safe. */
public final class DestinationTable {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final SqlFiles sql;
    private final SequenceCheck sequence;

    public DestinationTable(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
        sql = new SqlFiles(DestinationTable.class, schema);
        sequence = new SequenceCheck(schema);
    }

    /** Inserts missing rows. */
    public void ensure(Collection<String> destinations) {
        dsl.execute(sql.get("destination-ensure"), names(destinations));
    }

    /**
     * Claims those candidates that have no owner, or one that is dead or does not serve them, or this relay itself. Skips rows
     * that are locked. Throws an {@link IllegalStateException} if row-level security hides messages.
     */
    public List<Claim> claim(UUID relay, Collection<String> candidates) {
        if (candidates.isEmpty()) {
            return List.of();
        }
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            requireAllRows(tx.dsl());
            return claimFree(tx.dsl(), relay, names(candidates));
        });
    }

    /** Raises the sequence above what waits for these destinations; returns whether it was behind. A claim does so too. */
    public boolean raiseSequence(Collection<String> owned) {
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            return sequence.raise(tx.dsl(), owned);
        });
    }

    /** The relays that are alive, and the owners of these destinations. */
    public Members members(Collection<String> destinations) {
        return Members.of(dsl.fetch(sql.get("members"), names(destinations)));
    }

    private List<Claim> claimFree(DSLContext tx, UUID relay, Field<String[]> candidates) {
        UUID[] owners = tx.fetch(sql.get("destination-lock-owners"), candidates)
                .into(UUID.class)
                .toArray(UUID[]::new);
        List<String> locked = tx.fetch(sql.get("destination-lock"), candidates).into(String.class);
        var claimed = tx.fetch(sql.get("destination-claim"), val(relay), names(locked), val(owners));
        boolean raised = sequence.raise(tx, claimed.getValues("destination", String.class));
        return claimed.map(row -> claim(row, raised));
    }

    // With a policy, the relay would read no rows and see no error.
    private void requireAllRows(DSLContext tx) {
        if (tx.fetchSingle(sql.get("destination-hides-rows")).get(0, Boolean.class)) {
            throw new IllegalStateException("Row level security is active on " + schema.table("outbox_message")
                    + " for the relay's role, which would silently read no messages;"
                    + " give the role BYPASSRLS or disable row level security on the table");
        }
    }

    /**
     * Releases a destination, or returns false if the relay does not own it under this epoch. A locked row is an error
     * ({@link Locking#isTimeout}). No relay may claim it for {@code freeAfter}.
     */
    public boolean release(UUID relay, String destination, long epoch, Duration freeAfter) {
        return dsl.transactionResult(tx -> {
            Locking.begin(tx.dsl());
            tx.dsl().fetch(sql.get("destination-lock-one"), val(destination));
            return tx.dsl()
                            .execute(
                                    sql.get("destination-release"),
                                    val(relay),
                                    val(destination),
                                    val(epoch),
                                    val(freeAfter.toMillis()))
                    == 1;
        });
    }

    private static Field<String[]> names(Collection<String> destinations) {
        return val(destinations.toArray(String[]::new));
    }

    private static Claim claim(Record row, boolean sequenceRaised) {
        @Nullable Long seq = row.get("suspect_seq", Long.class);
        Optional<Claim.Suspect> suspect = Optional.ofNullable(seq)
                .map(value -> new Claim.Suspect(
                        value, row.get("suspect_message_id", String.class), row.get("suspect_deaths", Integer.class)));
        @Nullable String path = row.get("entity", String.class);
        return new Claim(
                row.get("destination", String.class),
                row.get("epoch", Long.class),
                new Claim.PreviousOwner(row.get("from_dead", Boolean.class), row.get("deaths", Integer.class), suspect),
                sequenceRaised,
                path == null ? null : new Publisher.Entity(path, row.get("entity_partitioned", Boolean.class)));
    }
}
