package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.environment.ServerCpu;
import dev.waybill.relay.Relay;
import java.sql.Connection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jooq.DSLContext;

/**
 * One side of the comparison: so many transactions per second over so long, one relay, and a look at the tables.
 */
final class SteadyLoad {
    private static final int WRITERS = 4;
    private static final int RELAY_CONNECTIONS = 4;
    private static final int LONGEST_WARM_UP_SECONDS = 5;
    private static final int PATIENCE_SECONDS = 60;
    private static final double NANOS_PER_MICRO = 1e3;

    private final OutboxSchema schema;
    private final Business business;
    private final DSLContext dsl;
    private final int seconds;
    private final int rate;
    private final Semaphore published = new Semaphore(0);

    SteadyLoad(OutboxSchema schema, int seconds, int rate) {
        this.schema = schema;
        this.business = new Business(schema);
        this.dsl = OutboxSchema.dsl(schema.pool("writers", WRITERS));
        this.seconds = seconds;
        this.rate = rate;
    }

    Outcome runBesideOldSnapshot() throws Exception {
        try (Connection old = schema.pool("report", 1).getConnection();
                var statement = old.createStatement()) {
            old.setAutoCommit(false);
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("select 1");
            Outcome outcome = run();
            old.rollback();
            return outcome;
        }
    }

    Outcome run() throws Exception {
        try (var relay = relay()) {
            relay.start();
            write("warm-", Math.min(seconds, LONGEST_WARM_UP_SECONDS));
            ServerCpu cpu = schema.cpuOfServer();
            long before = cpu.nanos();
            try (var watch = TableWatch.start(schema)) {
                write("steady-", seconds);
                double nanos = cpu.nanos() - before;
                return new Outcome(nanos / NANOS_PER_MICRO / (seconds * rate), watch.stop());
            }
        }
    }

    private Relay relay() {
        return Relay.builder(schema.pool("relay", RELAY_CONNECTIONS))
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .publisher(new AcceptingPublisher(rows -> published.release(rows.size())))
                .build();
    }

    // Ends when the relay has published what was written, so that both sides have done the same work.
    private void write(String references, int duration) throws Exception {
        new PacedWriters(WRITERS, rate).write(duration, i -> {
            int account = i % Business.ACCOUNTS;
            String reference = references + i;
            dsl.transaction(tx -> {
                business.minimal(tx.dsl(), account, reference);
                business.append(tx.dsl(), account, reference);
            });
        });
        if (!published.tryAcquire(duration * rate, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("The relay did not keep up with " + rate + " messages/s");
        }
    }

    /** The cost of one side. */
    record Outcome(double cpuMicrosPerMessage, TableWatch.Peaks peaks) {}
}
