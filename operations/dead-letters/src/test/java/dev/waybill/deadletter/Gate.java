package dev.waybill.deadletter;

import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.collect.DeadLetterFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Lets other processes come to a place in the middle of a transaction, and no further: rows with a certain number wait there
 * while the gate is shut.
 */
public final class Gate implements AutoCloseable {
    private final DeadLetterFixture fixture;
    private final int name;
    private final Connection keeper;

    /** A gate before the rows of a table that are to be inserted or updated. */
    public Gate(DeadLetterFixture fixture, String table, String event, String number) throws SQLException {
        this.fixture = fixture;
        name = (fixture.schema + table).hashCode();
        keeper = fixture.database.dataSource().getConnection();
        fixture.execute("create function $schema.gate_" + table + "() returns trigger language plpgsql as $$ begin"
                + " perform pg_advisory_xact_lock_shared(" + name + ", (" + number + ")::integer); return new; end $$");
        fixture.execute("create trigger gate before " + event + " on $schema." + table
                + " for each row execute function $schema.gate_" + table + "()");
    }

    public void shut(long number) throws SQLException {
        lock("pg_advisory_lock", number);
    }

    public void open(long number) throws SQLException {
        lock("pg_advisory_unlock", number);
    }

    /** Waits until somebody stands there. */
    public void awaitSomebodyAt(long number) {
        await().atMost(Duration.ofSeconds(90))
                .until(() -> fixture.dsl
                        .fetchSingle("select exists (select from pg_locks where locktype = 'advisory' and not granted"
                                + " and classid::bigint = " + Integer.toUnsignedLong(name) + " and objid = " + number
                                + ")")
                        .get(0, Boolean.class));
    }

    private void lock(String function, long number) throws SQLException {
        try (var statement = keeper.createStatement()) {
            statement.execute("select " + function + "(" + name + ", " + number + ")");
        }
    }

    @Override
    public void close() throws SQLException {
        try (var statement = keeper.createStatement()) {
            statement.execute("select pg_advisory_unlock_all()");
        }
        keeper.close();
    }
}
