package dev.waybill.benchmarks.outbox;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** The transactions of an application: accounts, transfers between them, and an event about each. */
final class Business {
    static final int ACCOUNTS = 10_000;

    private static final Field<Integer> ID = field(name("id"), SQLDataType.INTEGER);
    private static final Field<Long> BALANCE = field(name("balance"), SQLDataType.BIGINT);
    private static final Field<Integer> ACCOUNT = field(name("account"), SQLDataType.INTEGER);
    private static final Field<Long> AMOUNT = field(name("amount"), SQLDataType.BIGINT);
    private static final Field<String> TEXT = field(name("reference"), SQLDataType.CLOB);

    private final Table<Record> accounts;
    private final Table<Record> transfers;
    private final Table<Record> entries;
    private final Outbox outbox;
    private final byte[] payload = Backlog.payload();

    Business(OutboxSchema schema) {
        String in = schema.name().value();
        accounts = table(name(in, "account"));
        transfers = table(name(in, "transfer"));
        entries = table(name(in, "entry"));
        outbox = schema.outbox();
        createTables(schema.dsl());
    }

    private void createTables(DSLContext dsl) {
        dsl.execute("create table {0} (id int primary key, balance bigint not null)", accounts);
        dsl.execute("insert into {0} select n, 0 from generate_series(0, {1}) n", accounts, val(ACCOUNTS - 1));
        dsl.execute(
                "create table {0} (id bigint generated always as identity primary key, account int not null"
                        + ", amount bigint not null, reference text not null)",
                transfers);
        dsl.execute(
                "create table {0} (id bigint generated always as identity primary key, account int not null"
                        + ", balance bigint not null, at timestamptz not null default now())",
                entries);
    }

    /** Four statements: lock and read, change, and record twice. */
    void typical(DSLContext tx, int account, String reference) {
        Long balance = tx.select(BALANCE)
                .from(accounts)
                .where(ID.eq(account))
                .forUpdate()
                .fetchSingle(BALANCE);
        tx.update(accounts).set(BALANCE, balance + 1).where(ID.eq(account)).execute();
        minimal(tx, account, reference);
        tx.insertInto(entries, ACCOUNT, BALANCE).values(account, balance + 1).execute();
    }

    /** One statement, and no row version that dies. */
    void minimal(DSLContext tx, int account, String reference) {
        tx.insertInto(transfers, ACCOUNT, AMOUNT, TEXT)
                .values(account, 1L, reference)
                .execute();
    }

    /** The event about it, 1 KiB. */
    void append(DSLContext tx, int account, String reference) {
        outbox.append(tx, event(account, reference));
    }

    /** The same to another destination. */
    void append(DSLContext tx, String destination, int account, String reference) {
        outbox.append(tx, event(destination, account, reference));
    }

    /** The same through a plain connection. */
    void append(Connection tx, int account, String reference) {
        outbox.append(tx, event(account, reference));
    }

    /** The same in the thread's transaction. */
    void append(Outbox joining, int account, String reference) {
        joining.append(event(account, reference));
    }

    private OutboxMessage event(int account, String reference) {
        return event(Backlog.DESTINATION, account, reference);
    }

    private OutboxMessage event(String destination, int account, String reference) {
        return OutboxMessage.to(destination)
                .session("account-" + account)
                .id(reference)
                .subject(Backlog.SUBJECT)
                .body(payload, Backlog.CONTENT_TYPE)
                .build();
    }
}
