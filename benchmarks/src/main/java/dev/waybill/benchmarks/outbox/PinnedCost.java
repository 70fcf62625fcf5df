package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Scale;
import java.sql.Connection;

/**
 * Measures the server's cost of a message after some time, free or beside an old snapshot; new tables each time.
 *
 * @param before seconds of load that are not measured
 * @param pinned whether the old snapshot is there
 */
record PinnedCost(Environment environment, Scale scale, int rate, int before, int seconds, boolean pinned) {
    double microsPerMessage() throws Exception {
        try (OutboxSchema schema = environment.newSchema()) {
            return pinned ? besideOldSnapshot(schema) : measure(schema);
        }
    }

    private double besideOldSnapshot(OutboxSchema schema) throws Exception {
        try (Connection old = schema.pool("report", 1).getConnection();
                var statement = old.createStatement()) {
            old.setAutoCommit(false);
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("select 1");
            double micros = measure(schema);
            old.rollback();
            return micros;
        }
    }

    private double measure(OutboxSchema schema) throws Exception {
        try (var side = new WaybillSide(schema, new Business(schema));
                var load = new CostLoad(schema, scale)) {
            schema.analyzeOnceForAll();
            load.measure(side, rate, before);
            return load.measure(side, rate, seconds).serverMicros();
        }
    }
}
