package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code on the README's first screen compiles, runs, and is the code of this file. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ReadmeTest {
    private static final Path THIS = Path.of("src/test/java/dev/waybill/benchmarks/ReadmeTest.java");
    private static final Path README = Path.of("../README.md");

    @Test
    void the_snippet_moves_money_once(TestDatabase database) {
        var schema = new SchemaName(database.schema());
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        String url = database.server().jdbcUrl();
        String application = url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema + "_app";
        try (var pool = PostgresServer.pool(application, 12)) {
            moveMoney(pool, schema);
        }
    }

    private static void moveMoney(DataSource dataSource, SchemaName schema) {
        DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        dsl.execute("create schema " + schema + "_app");
        dsl.execute("create table debit (id text, wallet text, cents bigint)");
        dsl.execute("create table wallet (id text, cents bigint)");
        dsl.execute("insert into wallet values ('w-7', 1000)");
        Outbox outbox = Outbox.builder(dataSource).schema(schema).build();

        // README: the snippet begins
        outbox.inTransaction(tx -> {
            tx.execute("insert into debit values ('tx-1', 'w-7', 250)");
            outbox.append(
                    tx,
                    OutboxMessage.to("wallet-tx")
                            .session("w-7")
                            .id("debit-tx-1")
                            .json("{\"cents\": 250}")
                            .build());
        });

        Handler ledger = (tx, message) -> {
            tx.execute("update wallet set cents = cents - 250 where id = 'w-7'");
            return Verdict.done();
        };
        // README: the snippet ends

        try (var bus = EmbeddedServiceBus.builder()
                .queue("wallet-tx", queue -> queue.requiresSession())
                .start()) {
            try (var relay = Relay.builder(dataSource)
                            .schema(schema)
                            .destination("wallet-tx")
                            .publisher(ServiceBusPublisher.of(bus.connectionString()))
                            .start();
                    var consumer = InboxConsumer.builder(dataSource)
                            .schema(schema)
                            .name("ledger")
                            .source(ServiceBusSource.ofQueue(bus.connectionString(), "wallet-tx")
                                    .withSessions())
                            .handler(ledger)
                            .start()) {
                relay.wake();
                await().untilAsserted(() -> assertThat(
                                dsl.fetchSingle("select cents from wallet").get(0, Long.class))
                        .isEqualTo(750));
                assertThat(consumer).isNotNull();
            }
        }
    }

    @Test
    void the_readme_shows_the_snippet_as_it_was_run() throws IOException {
        String source = Files.readString(THIS);
        String begin = "// README: the snippet begins\n";
        String snippet =
                source.substring(source.indexOf(begin) + begin.length(), source.indexOf("// README: the snippet ends"));

        assertThat(plain(Files.readString(README))).contains(plain(snippet));
    }

    private static String plain(String code) {
        return code.replaceAll("\\s+", "");
    }
}
