package dev.waybill.deadletter;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A collector, or somebody who finishes a re-drive, in a JVM of its own, to be stopped by a signal that no JVM can catch. */
public final class KilledProcess {
    public static final int BATCH = 10;

    private static final int MEGABYTES = 192;

    private KilledProcess() {}

    /** Arguments: JDBC URL, schema, and {@code collect} with a connection string or {@code redrive} with a run. */
    public static void main(String[] args) throws Exception {
        var schema = new SchemaName(args[1]);
        try (var pool = PostgresServer.pool(args[0], 4)) {
            if (args[2].equals("collect")) {
                collect(pool, schema, args[3]);
            } else {
                Redrives.in(DSL.using(pool, SQLDialect.POSTGRES), schema, BATCH).finish(Long.parseLong(args[3]));
            }
        }
        System.exit(0);
    }

    // Until the parent ends.
    private static void collect(DataSource pool, SchemaName schema, String bus) throws IOException {
        var queue = ServiceBusDeadLetters.ofQueue(() -> new ServiceBusClientBuilder().connectionString(bus), "dead");
        try (var collector =
                DeadLetterCollector.start(pool, schema, List.of(queue), CollectorSettings.DEFAULT.withBatch(BATCH))) {
            while (collector != null && System.in.read() >= 0) {}
        }
    }

    public static Process collector(DeadLetterFixture fixture) throws IOException {
        return start(fixture, "collect", fixture.bus.connectionString());
    }

    public static Process redrive(DeadLetterFixture fixture, long run) throws IOException {
        return start(fixture, "redrive", Long.toString(run));
    }

    private static Process start(DeadLetterFixture fixture, String... what) throws IOException {
        return Child.start(
                KilledProcess.class,
                MEGABYTES,
                fixture.database.server().jdbcUrl(),
                fixture.schema.value(),
                what[0],
                what[1]);
    }
}
