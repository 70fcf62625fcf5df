package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The tables of a destination's loop, all through its one connection.
 */
record RelayTables(
        Reading reading,
        LaneTable lanes,
        ProgressTable progress,
        AdoptionCheck history,
        OutboxHolds holds,
        CrashSuspectTable suspicions) {
    /** @param pageRows most rows per lane and read */
    record Reading(OutboxReader reader, int pageRows) {}

    OutboxReader reader() {
        return reading.reader();
    }

    int pageRows() {
        return reading.pageRows();
    }

    /** The tables through a connection that was just opened. */
    static RelayTables of(LoopConnection connection, Source source, String destination) {
        var dsl = connection.dsl();
        String token = connection.token();
        return new RelayTables(
                new Reading(source.reading.apply(new SnapshotCursorReader(connection, source.sql)), source.pageRows),
                new LaneTable(dsl, source.schema, source.relay, destination),
                new ProgressTable(dsl, source.schema, source.relay, token),
                new AdoptionCheck(new OutboxHistory(dsl, source.schema), destination, source.comparison),
                new OutboxHolds(dsl, source.schema, source.relay, token),
                new CrashSuspectTable(dsl, source.schema, source.relay));
    }

    /**
     * The settings that the tables of every connection share.
     *
     * @param comparison of the cursors of all destinations with the database
     * @param reading puts something between a loop and its reader; tests plant mistakes so
     */
    record Source(
            SchemaName schema,
            UUID relay,
            int pageRows,
            ReadSql sql,
            SharedCheck comparison,
            UnaryOperator<OutboxReader> reading) {
        static Source of(SchemaName schema, UUID relay, int pageRows, LongSupplier nanoTime) {
            var comparison = new SharedCheck(nanoTime);
            return new Source(schema, relay, pageRows, new ReadSql(schema), comparison, UnaryOperator.identity());
        }
    }
}
