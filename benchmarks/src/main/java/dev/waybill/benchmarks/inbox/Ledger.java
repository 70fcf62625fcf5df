package dev.waybill.benchmarks.inbox;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.waybill.benchmarks.environment.OutboxSchema;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** The business of a consumer: one row per message. */
public final class Ledger {
    private static final Field<String> ACCOUNT = field(name("account"), SQLDataType.CLOB);
    private static final Field<Long> AMOUNT = field(name("amount"), SQLDataType.BIGINT);
    private static final Field<String> REFERENCE = field(name("reference"), SQLDataType.CLOB);

    private final OutboxSchema schema;
    private final Table<Record> entries;

    /** Creates the table. */
    public Ledger(OutboxSchema schema) {
        this.schema = schema;
        entries = table(name(schema.name().value(), "ledger_entry"));
        schema.dsl()
                .execute(
                        "create table {0} (id bigint generated always as identity primary key, account text not null"
                                + ", amount bigint not null, reference text not null"
                                + ", at timestamptz not null default now())",
                        entries);
    }

    /** The write of one message, in its transaction. */
    public void write(DSLContext tx, String account, String reference) {
        tx.insertInto(entries, ACCOUNT, AMOUNT, REFERENCE)
                .values(account, 1L, reference)
                .execute();
    }

    /** As if no message had come yet. */
    public void clear() {
        schema.dsl().execute("truncate {0}, {1}", entries, schema.table("inbox_message"));
    }

    /** A rate counts only if there is one entry for each message, and one id if there is an inbox. */
    public void requireRows(int rows, int ids) {
        int written = schema.dsl().fetchCount(entries);
        int recorded = schema.dsl().fetchCount(schema.table("inbox_message"));
        if (written != rows || recorded != ids) {
            throw new IllegalStateException(
                    "There are " + written + " entries and " + recorded + " ids instead of " + rows + " and " + ids);
        }
    }
}
