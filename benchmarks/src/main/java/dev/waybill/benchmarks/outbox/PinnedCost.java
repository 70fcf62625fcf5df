package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Scale;

/**
 * Measures the server's cost of a message after some time, free or beside a foreign transaction; new tables each time.
 *
 * @param before seconds of load that are not measured
 */
record PinnedCost(Environment environment, Scale scale, int rate, int before, int seconds, ForeignTransaction foreign) {
    double microsPerMessage() throws Exception {
        try (OutboxSchema schema = environment.newSchema()) {
            return foreign.beside(schema, () -> measure(schema));
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
