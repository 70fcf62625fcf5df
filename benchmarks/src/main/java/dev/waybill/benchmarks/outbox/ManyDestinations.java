package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.relay.Relay;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** The statements of an idle relay of a hundred destinations, and the connections that it holds. */
record ManyDestinations(Environment environment, Scale scale) {
    private static final int DESTINATIONS = 100;
    private static final double QUERIES_TARGET = 6;
    private static final double CONNECTIONS_TARGET = 4;
    private static final String APPLICATION = "relay100";

    void measure(Report report) throws Exception {
        report.note("100 destinations: without a pool, so that a connection lives as long as the relay holds it");
        try (OutboxSchema schema = environment.newSchema();
                Relay relay = relay(schema)) {
            relay.start();
            TimeUnit.SECONDS.sleep(scale.choose(15, 15, 1));
            long before = schema.statements();
            int seconds = scale.choose(60, 20, 1);
            long connections = mostConnections(schema, seconds);
            double queries = (double) (schema.statements() - before) / seconds;
            report.figure("idleQueriesPerSecond100", Spread.once(queries), Target.atMost(QUERIES_TARGET));
            report.figure("connections100", Spread.count(connections), Target.atMost(CONNECTIONS_TARGET));
        }
    }

    private static Relay relay(OutboxSchema schema) {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(schema.urlFor(APPLICATION));
        var builder = Relay.builder(dataSource).schema(schema.name()).publisher(new AcceptingPublisher(rows -> {}));
        for (int i = 0; i < DESTINATIONS; i++) {
            builder.destination("bench-" + i);
        }
        return builder.build();
    }

    // The question does not name the schema as statements of the relay do, so it is not counted.
    private static long mostConnections(OutboxSchema schema, int seconds) throws InterruptedException {
        long most = 0;
        for (int i = 0; i < seconds; i++) {
            TimeUnit.SECONDS.sleep(1);
            most = Math.max(most, schema.connections(APPLICATION));
        }
        return most;
    }
}
