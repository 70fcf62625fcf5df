package dev.waybill.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.emulator.EmulatorConfig;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.standalone.cli.Commands;
import dev.waybill.standalone.config.ProcessEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of docs/getting-started, in the order of its pages. {@link DocumentationTest} compares the two. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class GettingStartedTest {
    private static final Path PAGES = Path.of("../docs/getting-started");
    private static final Pattern SQL = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_first_file_sends_a_message_and_handles_it(TestDatabase database) throws Exception {
        inDatabaseOfItsOwn(database, (dataSource, bus) -> {
            String printed = printedBy(() -> First.run(dataSource, bus.connectionString(), "tx-1"));

            assertThat(idsHandled(dataSource)).containsExactly("debit-tx-1");
            assertThat(bus.inspect("wallet-tx").deadLetters()).isZero();
            assertThat(printed.lines()).containsAll(shown("handled "));
            assertThat(trace(dataSource.getJdbcUrl()).lines())
                    .anyMatch(Pattern.compile(shown("… ").get(0).replace("…", ".*"))
                            .asMatchPredicate());
        });
    }

    private static List<String> shown(String start) throws IOException {
        List<String> shown = Files.readAllLines(PAGES.resolve("first-message.md")).stream()
                .filter(line -> line.startsWith(start))
                .toList();
        assertThat(shown).hasSize(1);
        return shown;
    }

    private static String printedBy(ThrowingRunnable program) throws Exception {
        PrintStream before = System.out;
        var printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            program.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(UTF_8);
    }

    private static String trace(String url) {
        var environment = new ProcessEnvironment(Map.of(), Map.of("WAYBILL_DATABASE_MAIN_URL", url));
        var out = new StringWriter();
        Commands.execute(environment, new PrintWriter(out), new PrintWriter(out), "trace", "debit-tx-1");
        return out.toString();
    }

    @Test
    void the_statements_of_the_first_page_append(TestDatabase database) throws Exception {
        Matcher sql = SQL.matcher(Files.readString(PAGES.resolve("first-message.md")));
        assertThat(sql.find()).isTrue();

        inDatabaseOfItsOwn(database, (dataSource, bus) -> {
            business(dataSource);
            Migrations.of(dataSource).apply();
            DSL.using(dataSource, SQLDialect.POSTGRES).execute(sql.group(1));

            assertThat(DSL.using(dataSource, SQLDialect.POSTGRES)
                            .fetchSingle(
                                    "select session_id, message_id, subject, payload, headers ->> 'currency' as currency"
                                            + " from waybill.outbox_message")
                            .intoMap())
                    .containsEntry("session_id", "w-7")
                    .containsEntry("message_id", "debit-tx-3")
                    .containsEntry("subject", "debit")
                    .containsEntry("payload", "{\"cents\": 250}".getBytes(UTF_8))
                    .containsEntry("currency", "EUR");
        });
    }

    @Test
    void a_newcomer_who_follows_the_pages_moves_money_once(TestDatabase database) throws Exception {
        inDatabaseOfItsOwn(database, (dataSource, bus) -> follow(dataSource, bus.connectionString()));
    }

    @Test
    void a_handler_whose_first_try_fails_moves_money_once(TestDatabase database) throws Exception {
        var tries = new AtomicInteger();
        Handler failsOnce = (tx, message) -> {
            tx.execute("update wallet set cents = cents - 250 where id = 'w-7'");
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("the first try");
            }
            return Verdict.done();
        };

        inDatabaseOfItsOwn(database, (dataSource, bus) -> {
            business(dataSource);
            Migrations.of(dataSource).apply();
            var clients = new ServiceBusClientBuilder().connectionString(bus.connectionString());
            try (var sender = clients.sender().queueName("wallet-tx").buildClient();
                    var consumer = InboxConsumer.builder(dataSource)
                            .name("ledger")
                            .source(ServiceBusSource.ofQueue(bus.connectionString(), "wallet-tx")
                                    .withSessions())
                            .handler(failsOnce)
                            .start()) {
                sender.sendMessage(
                        new ServiceBusMessage("x").setSessionId("w-7").setMessageId("debit-tx-1"));

                await().untilAsserted(() -> assertThat(idsHandled(dataSource)).containsExactly("debit-tx-1"));
                assertThat(balance(dataSource)).isEqualTo(750);
                assertThat(tries).hasValue(2);
                assertThat(consumer).isNotNull();
            }
        });
    }

    private static void inDatabaseOfItsOwn(TestDatabase database, Steps steps) throws Exception {
        String name = database.schema() + "_db";
        database.execute("create database " + name);
        String url = database.server().jdbcUrl().replaceFirst("(//[^/]+/)[^?]*", "$1" + name);
        try (var dataSource = PostgresServer.pool(url, 12)) {
            withBroker(dataSource, steps);
        } finally {
            database.execute("drop database " + name + " with (force)");
        }
    }

    private static void withBroker(HikariDataSource dataSource, Steps steps) throws Exception {
        try (EmbeddedServiceBus bus = EmulatorConfig.read(PAGES.resolve("Config.json"))
                .port(0)
                .administrationPort(0)
                .start()) {
            steps.run(dataSource, bus);
        }
    }

    private static void follow(DataSource dataSource, String connectionString) throws SQLException {
        business(dataSource);

        Migrations.of(dataSource).apply();

        Outbox outbox = Outbox.of(dataSource);
        outbox.inJdbcTransaction(tx -> {
            try (Statement statement = tx.createStatement()) {
                statement.execute("insert into debit values ('tx-1', 'w-7', 250)");
            }
            outbox.append(
                    tx,
                    OutboxMessage.to("wallet-tx")
                            .session("w-7")
                            .id("debit-tx-1")
                            .json("{\"cents\": 250}")
                            .build());
        });

        Relay relay = Relay.builder(dataSource)
                .destination("wallet-tx")
                .publisher(ServiceBusPublisher.of(connectionString))
                .start();

        InboxConsumer consumer = InboxConsumer.builder(dataSource)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(connectionString, "wallet-tx").withSessions())
                .handler((tx, message) -> {
                    tx.execute("update wallet set cents = cents - 250 where id = 'w-7'");
                    return Verdict.done();
                })
                .start();

        try (relay;
                consumer) {
            await().untilAsserted(() -> assertThat(balance(dataSource)).isEqualTo(750));
        }
    }

    private static void business(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table debit (id text, wallet text, cents bigint)");
            statement.execute("create table wallet (id text, cents bigint)");
            statement.execute("insert into wallet values ('w-7', 1000)");
        }
    }

    private static long balance(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select cents from wallet")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<String> idsHandled(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                .fetch("select message_id from waybill.inbox_message where consumer = 'ledger'")
                .into(String.class);
    }

    private interface Steps {
        void run(HikariDataSource dataSource, EmbeddedServiceBus bus) throws Exception;
    }

    private interface ThrowingRunnable {
        void run() throws Exception;
    }
}
