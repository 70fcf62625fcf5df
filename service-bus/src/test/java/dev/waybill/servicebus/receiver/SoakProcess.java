package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToLongFunction;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** A consumer in a JVM of its own, with nothing but defaults, to be looked at from outside. Ends with its parent. */
public final class SoakProcess {
    private SoakProcess() {}

    /** Arguments: JDBC URL, schema, connection string, queue. */
    public static void main(String[] args) throws IOException {
        var schema = new SchemaName(args[1]);
        try (var pool = PostgresServer.pool(args[0], 20);
                var consumer = InboxConsumer.builder(pool)
                        .schema(schema)
                        .name(args[3])
                        .source(ServiceBusSource.ofQueue(
                                        () -> new ServiceBusClientBuilder().connectionString(args[2]), args[3])
                                .withSessions())
                        .handler((tx, message) -> handle(tx, schema, message))
                        .build()) {
            consumer.start();
            while (System.in.read() >= 0) {}
        }
    }

    private static Verdict handle(DSLContext tx, SchemaName schema, InboundMessage message) throws IOException {
        tx.execute(
                "insert into " + schema.table("handled") + " as h (session, times) values ({0}, 1)"
                        + " on conflict (session) do update set times = h.times + 1",
                DSL.val(message.session().orElseThrow()));
        return switch (ThreadLocalRandom.current().nextInt(1_000)) {
            case 0 -> throw new IOException("now and then");
            case 1 -> throw new AssertionError("now and then");
            default -> Verdict.done();
        };
    }

    static Process start(String jdbcUrl, String schema, String connectionString, String queue) throws IOException {
        var command = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SoakProcess.class.getName(),
                jdbcUrl,
                schema,
                connectionString,
                queue);
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Bytes that live in its heap: the histogram of live objects, for which the JVM collects everything first. */
    static long liveHeap(Process process) throws IOException {
        return jcmd(
                process,
                "GC.class_histogram",
                line -> line.startsWith("Total") ? Long.parseLong(line.split("\\s+", -1)[2]) : 0);
    }

    /** Its threads, the JVM's own among them. */
    static long threads(Process process) throws IOException {
        return jcmd(process, "Thread.print", line -> line.startsWith("\"") ? 1 : 0);
    }

    private static long jcmd(Process process, String command, ToLongFunction<String> of) throws IOException {
        Process jcmd = new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd", "" + process.pid(), command)
                .redirectErrorStream(true)
                .start();
        try (var lines = jcmd.inputReader()) {
            return lines.lines().mapToLong(of).sum();
        }
    }
}
