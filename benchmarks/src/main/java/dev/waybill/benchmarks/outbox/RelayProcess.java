package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.servicebus.ObservedPublisher;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A relay as a process: says on standard output what the broker has acknowledged, ends with its standard input. */
public final class RelayProcess {
    static final String ACKNOWLEDGED = "acknowledged";

    /** Instead of a connection string: a broker that takes everything after some milliseconds. */
    static final String NO_BROKER = "-";

    private static final Duration NO_BROKERS_DELAY = Duration.ofMillis(10);
    private static final int CONNECTIONS = 6;

    private RelayProcess() {}

    /** JDBC URL, schema, connection string of the broker or {@link #NO_BROKER}, and the lease in milliseconds. */
    public static void main(String[] arguments) throws IOException {
        boolean noBroker = arguments[2].equals(NO_BROKER);
        Publisher publisher = noBroker
                ? new DelayedPublisher(NO_BROKERS_DELAY, RelayProcess::tell)
                : ObservedPublisher.to(arguments[2], RelayProcess::tell);
        try (var pool = PostgresServer.pool(arguments[0], CONNECTIONS)) {
            var builder = Relay.builder(pool)
                    .schema(new SchemaName(arguments[1]))
                    .publisher(publisher)
                    .tuning(tuning -> tuning.leaseDuration(Duration.ofMillis(Long.parseLong(arguments[3]))));
            (noBroker ? Handover.DESTINATIONS : List.of(Backlog.DESTINATION)).forEach(builder::destination);
            try (Relay relay = builder.build()) {
                relay.start();
                int unused = System.in.read();
            }
        }
        // Threads of the client library would keep the process alive.
        System.exit(0);
    }

    private static void tell(List<OutboxRow> rows) {
        long now = System.nanoTime();
        var lines = new StringBuilder();
        rows.forEach(row -> lines.append(ACKNOWLEDGED + " ")
                .append(row.messageId())
                .append(' ')
                .append(now)
                .append('\n'));
        System.out.print(lines);
        System.out.flush();
    }
}
