package dev.waybill.deadletter;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** All that can be done to many dead letters, in a JVM with little memory. Exit code 0 if everything came out right. */
public final class LargeRedriveProcess {
    private LargeRedriveProcess() {}

    /** Arguments: JDBC URL, schema, connection string, how many. */
    public static void main(String[] args) throws Exception {
        int many = Integer.parseInt(args[3]);
        var schema = new SchemaName(args[1]);
        try (var pool = PostgresServer.pool(args[0], 4)) {
            var letters = DeadLetters.in(pool, schema);
            collect(pool, schema, args[2], letters, many);
            var groups = letters.groups(DeadLetterFilter.open(), DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON);
            require(groups.size() == 1 && groups.get(0).count() == many, "groups");
            require(letters.count(DeadLetterFilter.open().property("n", many * 3L / 4)) == 1, "filter");
            var seen = new AtomicLong();
            letters.forEach(DeadLetterFilter.open(), letter -> seen.incrementAndGet());
            require(seen.get() == many, "visits");
            require(
                    DeadLetterExchange.in(pool, schema).export(DeadLetterFilter.open(), Writer.nullWriter()) == many,
                    "export");
            var run = Redrives.in(pool, schema)
                    .redrive(
                            DeadLetterFilter.open(),
                            RedriveRequest.toEntity("home"),
                            new AuditContext("ada", "all of them"));
            require(run.redriven() == many, "re-drive");
        }
        System.exit(0);
    }

    private static void collect(DataSource dataSource, SchemaName schema, String bus, DeadLetters letters, int many)
            throws InterruptedException {
        var queue = ServiceBusDeadLetters.ofQueue(() -> new ServiceBusClientBuilder().connectionString(bus), "dead");
        var collector = DeadLetterCollector.start(dataSource, schema, List.of(queue));
        try {
            while (collected(letters) < many) {
                Thread.sleep(100);
            }
        } finally {
            collector.close();
        }
    }

    private static long collected(DeadLetters letters) {
        return letters.collectors().stream()
                .mapToLong(CollectorStatus::collected)
                .sum();
    }

    private static void require(boolean right, String what) {
        if (!right) {
            System.exit(what.length());
        }
    }

    static Process start(int megabytes, String jdbcUrl, String schema, String connectionString, int many)
            throws IOException {
        return Child.start(
                LargeRedriveProcess.class, megabytes, jdbcUrl, schema, connectionString, Integer.toString(many));
    }
}
