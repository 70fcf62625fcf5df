package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.servicebus.ObservedPublisher;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.SchemaName;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Relay;
import java.io.IOException;
import java.util.List;

/** A relay as a process: says on standard output what the broker has acknowledged, ends with its standard input. */
public final class RelayProcess {
    static final String ACKNOWLEDGED = "acknowledged";

    private static final int CONNECTIONS = 3;

    private RelayProcess() {}

    /** JDBC URL, schema and connection string of the broker. */
    public static void main(String[] arguments) throws IOException {
        var publisher = ObservedPublisher.to(arguments[2], RelayProcess::tell);
        try (var pool = PostgresServer.pool(arguments[0], CONNECTIONS);
                var relay = Relay.builder(pool)
                        .schema(new SchemaName(arguments[1]))
                        .destination(Backlog.DESTINATION)
                        .publisher(publisher)
                        .build()) {
            relay.start();
            int unused = System.in.read();
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
