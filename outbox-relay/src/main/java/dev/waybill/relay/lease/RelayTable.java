package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The row of one relay in the table {@code relay}, on the database's clock. Immutable and thread-safe. */
public final class RelayTable {
    private final DSLContext dsl;
    private final SqlFiles sql;
    private final String name;
    private final boolean follows;

    /**
     * The rows of a relay.
     *
     * @param name for people; two relays may have the same
     * @param follows whether it sends to the entity that {@code outbox_destination} names
     */
    public RelayTable(DSLContext dsl, SchemaName schema, String name, boolean follows) {
        this.dsl = dsl;
        sql = new SqlFiles(RelayTable.class, schema);
        this.name = name;
        this.follows = follows;
    }

    /**
     * Makes the row of a new id.
     *
     * @param former the id from before, which ends: its destinations are free at once, and count for no death
     */
    public void insert(UUID id, @Nullable UUID former, Duration lease, Report report) {
        dsl.transaction(tx -> {
            Locking.begin(tx.dsl());
            if (former != null) {
                end(tx.dsl(), former, Duration.ZERO);
            }
            tx.dsl().execute(sql.get("relay-insert"), row(id, lease, report));
        });
    }

    /**
     * Extends a lease that has not run out, and writes what the relay does.
     *
     * @return false if it has run out
     */
    public boolean renew(UUID id, Duration lease, Report report) {
        return dsl.execute(sql.get("relay-renew"), row(id, lease, report)) == 1;
    }

    /**
     * The relay is no more.
     *
     * @param freeAfter how long destinations that it still owns are kept from others
     */
    public void delete(UUID id, Duration freeAfter) {
        dsl.transaction(tx -> {
            Locking.begin(tx.dsl());
            end(tx.dsl(), id, freeAfter);
        });
    }

    /** Removes relays that have not been alive for an hour and own nothing. */
    public int forgetDead() {
        return dsl.transactionResult(tx -> {
            Locking.begin(tx.dsl());
            return tx.dsl().execute(sql.get("relay-forget"));
        });
    }

    private void end(DSLContext tx, UUID id, Duration freeAfter) {
        tx.execute(sql.get("relay-delete"), val(id));
        tx.execute(sql.get("relay-disown"), val(id), val(freeAfter.toMillis()));
    }

    private Field<?>[] row(UUID id, Duration lease, Report report) {
        return new Field<?>[] {
            val(id),
            val(lease.toMillis()),
            val(report.serving().toArray(String[]::new)),
            val(
                    report.states().stream().map(Report.State::destination).toArray(String[]::new),
                    SQLDataType.CLOB.getArrayDataType()),
            val(report.states().stream().map(Report.State::state).toArray(String[]::new)),
            val(report.states().stream().map(state -> state.age().toMillis()).toArray(Long[]::new)),
            val(report.states().stream().map(Report.State::detail).toArray(String[]::new)),
            val(report.states().stream().map(Report.State::rate).toArray(Double[]::new)),
            val(name),
            val(follows)
        };
    }
}
