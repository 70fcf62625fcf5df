package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program with nothing but Waybill's threads: it lives after {@code main} has returned, until they are closed. */
@Timeout(120)
class ServiceOfThreadsAloneTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final SchemaName SCHEMA =
            new SchemaName("threads_" + ProcessHandle.current().pid());
    private static final EmbeddedServiceBus BUS =
            EmbeddedServiceBus.builder().queue("orders").start();

    @BeforeAll
    static void make_tables() {
        try (var pool = SERVER.newPool(2)) {
            Migrations.of(pool, SCHEMA).apply(Feature.all());
        }
    }

    @AfterAll
    static void stop() {
        BUS.close();
        try (var pool = SERVER.newPool(2)) {
            DSL.using(pool, SQLDialect.POSTGRES).execute("drop schema " + SCHEMA + " cascade");
        }
        SERVER.close();
    }

    @Test
    void a_relay_works_until_it_is_closed() throws Exception {
        try (var pool = SERVER.newPool(2);
                var program = new Program("relay")) {
            program.requireAlive();
            long before = BUS.journal("orders").storedCount();
            Outbox outbox = Outbox.builder(pool).schema(SCHEMA).build();
            outbox.inTransaction(tx -> outbox.append(
                    tx, OutboxMessage.to("orders").id("threads-1").text("x").build()));
            await().until(() -> BUS.journal("orders").storedCount() > before);
        }
    }

    @Test
    void a_consumer_works_until_it_is_closed() throws Exception {
        try (var program = new Program("consumer")) {
            program.requireAlive();
            send("threads-2");
            awaitRow("inbox_message", "threads-2");
        }
    }

    @Test
    void a_collector_works_until_it_is_closed() throws Exception {
        try (var program = new Program("collector");
                var client = client().receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {
            program.requireAlive();
            send("threads-3");
            client.receiveMessages(10, Duration.ofSeconds(30)).stream()
                    .filter(message -> "threads-3".equals(message.getMessageId()))
                    .forEach(client::deadLetter);
            awaitRow("dead_letter_message", "threads-3");
        }
    }

    /** Its work leaves no trace; the others have none when their {@code main} returns, and have to live until it comes. */
    @Test
    void a_monitor_does_not_end_by_itself() throws Exception {
        try (var program = new Program("monitor")) {
            assertThat(program.process.waitFor(2, TimeUnit.SECONDS))
                    .as("ends by itself")
                    .isFalse();
        }
    }

    /** Neither does a thread that nobody can stop keep it afterwards. */
    @Test
    void a_handler_that_hangs_does_not_outlive_the_close() throws Exception {
        try (var program = new Program("hanging")) {
            send("threads-4");
            program.awaitLine(ThreadsProcess.HANGS);
        }
    }

    private static ServiceBusClientBuilder client() {
        return new ServiceBusClientBuilder().connectionString(BUS.connectionString());
    }

    private static void send(String id) {
        try (var sender = client().sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("x").setMessageId(id));
        }
    }

    private static void awaitRow(String table, String id) {
        try (var pool = SERVER.newPool(2)) {
            DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> dsl.fetchExists(
                            DSL.table(SCHEMA.table(table)),
                            DSL.field("message_id").eq(id)));
        }
    }

    /** Its end is that of its input, and it has to exit then. */
    private static final class Program implements AutoCloseable {
        final Process process;
        private final BufferedReader lines;

        Program(String what) throws IOException {
            process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx192m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ThreadsProcess.class.getName(),
                            what,
                            SERVER.jdbcUrl(),
                            SCHEMA.value(),
                            BUS.connectionString()))
                    .redirectErrorStream(true)
                    .start();
            lines = process.inputReader(StandardCharsets.UTF_8);
            awaitLine(ThreadsProcess.RETURNS);
        }

        void awaitLine(String wanted) throws IOException {
            String line;
            do {
                line = lines.readLine();
                assertThat(line).as("the program has ended before '%s'", wanted).isNotNull();
            } while (!line.equals(wanted));
        }

        void requireAlive() {
            assertThat(process.isAlive()).as("lives").isTrue();
        }

        @Override
        public void close() {
            try {
                requireAlive();
                process.outputWriter().close();
                await().atMost(Duration.ofSeconds(60)).until(() -> !process.isAlive());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
