package dev.waybill.relay.settle;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Cause;
import dev.waybill.hold.HoldKey;
import dev.waybill.relay.send.Blocked;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Moves rows from the outbox to holds, if this relay is still the owner. Immutable. */
public final class HeldRows {
    private final DSLContext dsl;
    private final SqlFiles sql;

    public HeldRows(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        sql = new SqlFiles(HeldRows.class, schema);
    }

    /**
     * Moves rows, in the order of their values, in one transaction. Returns the values that moved; empty if the destination has
     * another owner. A refused row that is gone opens no hold. A row whose hold has ended stays, and is read again.
     */
    public Optional<Set<Long>> move(String destination, long epoch, List<Blocked> rows) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set transaction isolation level read committed");
            tx.dsl().fetch(SETTINGS);
            if (tx.dsl()
                    .fetch(sql.get("hold-owner"), val(destination), val(epoch))
                    .isEmpty()) {
                return Optional.empty();
            }
            tx.dsl().fetch(sql.get("hold-lock"), val(destination), texts(rows, HeldRows::key));
            Set<Long> moved = moveAll(
                    tx.dsl(),
                    "hold-refused",
                    destination,
                    rows.stream().filter(row -> row.cause() != null).toList());
            moved.addAll(moveAll(
                    tx.dsl(),
                    "hold-join",
                    destination,
                    rows.stream().filter(row -> row.cause() == null).toList()));
            tx.dsl().execute(sql.get("hold-end-empty"), val(destination), texts(rows, HeldRows::key));
            return Optional.of(moved);
        });
    }

    private Set<Long> moveAll(DSLContext tx, String statement, String destination, List<Blocked> rows) {
        return tx.fetch(
                        sql.get(statement),
                        val(destination),
                        val(rows.stream().map(row -> row.key().seq()).toArray(Long[]::new)),
                        texts(rows, row -> row.key().messageId()),
                        texts(rows, Blocked::session),
                        texts(rows, HeldRows::aloneId),
                        texts(rows, HeldRows::key),
                        texts(rows, row -> part(row.cause(), Cause::reason)),
                        texts(rows, row -> part(row.cause(), Cause::description)))
                .intoSet(0, Long.class);
    }

    private static @Nullable String part(@Nullable Cause cause, Function<Cause, String> part) {
        return cause == null ? null : part.apply(cause);
    }

    private static String key(Blocked row) {
        return HoldKey.text(row.session(), aloneId(row));
    }

    private static @Nullable String aloneId(Blocked row) {
        return row.alone() ? row.key().messageId() : null;
    }

    private static Field<String[]> texts(List<Blocked> rows, Function<Blocked, @Nullable String> text) {
        return val(rows.stream().map(text).toArray(String[]::new));
    }

    // The database's statement_timeout may be shorter than the lock timeout. Without array_nulls, a null arrives as the
    // text NULL, and a session's hold becomes that of a message. Rows are found by their key, as in
    // accepted-delete.sql.
    private static final String SETTINGS = """
            select set_config('lock_timeout', '250ms', true), set_config('statement_timeout', '30s', true),
              set_config('array_nulls', 'on', true), set_config('enable_seqscan', 'off', true),
              set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'on', true)
            """;
}
