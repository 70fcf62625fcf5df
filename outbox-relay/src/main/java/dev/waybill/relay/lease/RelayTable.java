package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** A relay's row in the table {@code relay}, on the database's clock. Immutable and thread-safe. */
public final class RelayTable {
    private final DSLContext dsl;
    private final SqlFiles sql;
    private final String name;
    private final boolean follows;
    private final Places places;

    /**
     * {@code name} need not be unique; {@code follows} says whether the relay publishes to the entities of migrations, and
     * {@code places} where it publishes to.
     */
    public RelayTable(DSLContext dsl, SchemaName schema, String name, boolean follows, Places places) {
        this.dsl = dsl;
        sql = new SqlFiles(RelayTable.class, schema);
        this.name = name;
        this.follows = follows;
        this.places = places;
    }

    /** Inserts a new id and ends the former one, whose destinations are free at once without counting as deaths. */
    public void insert(UUID id, @Nullable UUID former, Duration lease, Report report) {
        dsl.transaction(tx -> {
            Locking.begin(tx.dsl());
            if (former != null) {
                end(tx.dsl(), former, Duration.ZERO);
            }
            tx.dsl().execute(sql.get("relay-insert"), row(id, lease, report));
        });
    }

    /** Where it publishes each destination that it serves to; empty if that is not known. */
    List<String> places(Report report) {
        return report.serving().stream().map(places::of).toList();
    }

    /** The destinations that relays publish to different places or under two spellings, with the words of the alarms. */
    public Map<String, String> divided(Report report) {
        return dsl.fetch(sql.get("relay-divided"), val(report.serving().toArray(String[]::new)))
                .intoMap(row -> row.get("destination", String.class), row -> row.get("detail", String.class));
    }

    /** Extends the lease and writes the report; false if the lease has expired. */
    public boolean renew(UUID id, Duration lease, Report report) {
        return dsl.execute(sql.get("relay-renew"), row(id, lease, report)) == 1;
    }

    /** Deletes the row; no other relay may claim its destinations for {@code freeAfter}. */
    public void delete(UUID id, Duration freeAfter) {
        dsl.transaction(tx -> {
            Locking.begin(tx.dsl());
            end(tx.dsl(), id, freeAfter);
        });
    }

    /** Deletes relays that died more than an hour ago and own nothing. */
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
            val(follows),
            val(report.serving().toArray(String[]::new)),
            val(places(report).toArray(String[]::new))
        };
    }
}
