package dev.waybill.inbox.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.DeliveryPolicy;
import dev.waybill.inbox.ForeignTransactions;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** A consumer in a JVM of its own, to be stopped by signals no JVM can catch, or by its own handler. Ends with its parent. */
public final class ConsumerProcess {
    static final Duration LOCK = Duration.ofSeconds(2);

    private static final Map<String, Integer> HANDLED = new ConcurrentHashMap<>();

    private ConsumerProcess() {}

    /** Where a process ends itself. */
    enum End {
        NEVER,
        AFTER_RECEIVE,
        AFTER_RECORD,
        AT_THE_THIRD_OF_A_BATCH,
        AFTER_HANDLER,
        AFTER_COMMIT
    }

    /**
     * Arguments: JDBC URL, schema, connection string, where to end, how many messages in one transaction, and
     * whether another manager has the transactions, whose repositories the handler uses then.
     */
    public static void main(String[] args) throws IOException {
        var schema = new SchemaName(args[1]);
        var end = End.valueOf(args[3]);
        MessageSource sessions = ServiceBusSessions.ofQueue(
                        () -> new ServiceBusClientBuilder().connectionString(args[2]), "orders")
                .with(facts -> facts.withLockDuration(LOCK).withMaxDeliveryCount(2_000));
        try (var pool = PostgresServer.pool(args[0], 12);
                var consumer = builder(pool, schema, end, Boolean.parseBoolean(args[5]))
                        .schema(schema)
                        .name("stress")
                        .source(end == End.AFTER_COMMIT ? new HaltingSource(sessions) : sessions)
                        .listener(new HaltingListener(end))
                        .onFailure(OnFailure.HOLD_SESSION)
                        .deliveries(new DeliveryPolicy(1_000, 1_000, 3))
                        .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(10)))
                        .batch(Integer.parseInt(args[4]))
                        .concurrency(8)
                        .sessionIdle(Duration.ofMillis(50))
                        .backgroundPollInterval(Duration.ofMillis(200))
                        .build()) {
            consumer.start();
            while (System.in.read() >= 0) {}
        }
    }

    private static InboxConsumer.Builder builder(DataSource pool, SchemaName schema, End end, boolean managed) {
        if (!managed) {
            return InboxConsumer.builder(pool).handler((tx, message) -> handle(tx, schema, message, end));
        }
        ForeignTransactions manager = ForeignTransactions.on(pool);
        return InboxConsumer.builder(pool)
                .transactions(manager.boundary())
                .handler((tx, message) -> manager.service(() -> handle(manager.repository(), schema, message, end)));
    }

    private record HaltingListener(End end) implements ConsumerListener {
        @Override
        public void received(InboundMessage message) {
            haltAt(end, End.AFTER_RECEIVE);
        }
    }

    private static void haltAt(End end, End here) {
        if (end == here) {
            Runtime.getRuntime().halt(1);
        }
    }

    private static Verdict handle(DSLContext tx, SchemaName schema, InboundMessage message, End end)
            throws IOException {
        haltAt(end, End.AFTER_RECORD);
        if (end == End.AT_THE_THIRD_OF_A_BATCH && countInTransaction(tx) == 3) {
            haltAt(end, End.AT_THE_THIRD_OF_A_BATCH);
        }
        tx.execute(
                "insert into " + schema.table("effect") + " (session, id) values ({0}, {1})",
                DSL.val(message.session().orElseThrow()),
                DSL.val(message.id()));
        haltAt(end, End.AFTER_HANDLER);
        if (message.id().startsWith("kills")) {
            Runtime.getRuntime().halt(1);
        }
        if (message.id().startsWith("poison")) {
            return Verdict.deadLetter("Poison", "always");
        }
        if (ThreadLocalRandom.current().nextInt(50) == 0) {
            throw new IOException("now and then");
        }
        return Verdict.done();
    }

    private static int countInTransaction(DSLContext tx) {
        String transaction = tx.fetchSingle("select pg_current_xact_id()::text").get(0, String.class);
        return HANDLED.merge(transaction, 1, Integer::sum);
    }

    static Process start(String jdbcUrl, String schema, String connectionString, End end) throws IOException {
        return start(jdbcUrl, schema, connectionString, end, 1, false);
    }

    static Process start(String jdbcUrl, String schema, String connectionString, End end, int batch, boolean managed)
            throws IOException {
        var command = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ConsumerProcess.class.getName(),
                jdbcUrl,
                schema,
                connectionString,
                end.name(),
                Integer.toString(batch),
                Boolean.toString(managed));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
