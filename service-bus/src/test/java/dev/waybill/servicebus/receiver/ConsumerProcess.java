package dev.waybill.servicebus.receiver;

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
    static final Duration LOCK = Duration.ofSeconds(3);

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
     * Settings of these consumers.
     *
     * @param batch how many messages in one transaction
     * @param starts how many processes a message may end before it is parked
     * @param managed whether another manager has the transactions, whose repositories the handler uses then
     */
    record Settings(String schema, String connectionString, int batch, int starts, boolean managed) {
        /** A process of its own. */
        Process start(String jdbcUrl, End end) throws IOException {
            var command = List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-Xmx192m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ConsumerProcess.class.getName(),
                    jdbcUrl,
                    end.name(),
                    schema,
                    connectionString,
                    Integer.toString(batch),
                    Integer.toString(starts),
                    Boolean.toString(managed));
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }

        /** In this process, which its handler must not end. */
        InboxConsumer consumer(DataSource pool, End end) {
            MessageSource sessions = ServiceBusSource.ofQueue(
                            () -> new ServiceBusClientBuilder().connectionString(connectionString), "orders")
                    .withSessions()
                    .with(facts -> facts.withLockDuration(LOCK).withMaxDeliveryCount(2_000));
            return builder(pool, end)
                    .schema(new SchemaName(schema))
                    .name("stress")
                    .source(end == End.AFTER_COMMIT ? new HaltingSource(sessions) : sessions)
                    .listener(new HaltingListener(end))
                    .onFailure(OnFailure.HOLD_SESSION)
                    .deliveries(new DeliveryPolicy(1_000, 1_000, starts))
                    .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(10)))
                    .batch(batch)
                    .concurrency(8)
                    .tuning(tuning ->
                            tuning.sessionIdle(Duration.ofMillis(50)).backgroundPollInterval(Duration.ofMillis(200)))
                    .build();
        }

        private InboxConsumer.Builder builder(DataSource pool, End end) {
            var tables = new SchemaName(schema);
            if (!managed) {
                return InboxConsumer.builder(pool).handler((tx, message) -> handle(tx, tables, message, end));
            }
            ForeignTransactions manager = ForeignTransactions.on(pool);
            return InboxConsumer.builder(pool)
                    .transactions(manager.boundary())
                    .handler(
                            (tx, message) -> manager.service(() -> handle(manager.repository(), tables, message, end)));
        }
    }

    /** Arguments: JDBC URL, where to end, and the settings one by one. */
    public static void main(String[] args) throws IOException {
        var settings = new Settings(
                args[2], args[3], Integer.parseInt(args[4]), Integer.parseInt(args[5]), Boolean.parseBoolean(args[6]));
        try (var pool = PostgresServer.pool(args[0], 12);
                var consumer = settings.consumer(pool, End.valueOf(args[1]))) {
            consumer.start();
            while (System.in.read() >= 0) {}
        }
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
}
