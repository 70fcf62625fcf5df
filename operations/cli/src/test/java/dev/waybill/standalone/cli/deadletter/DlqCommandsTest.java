package dev.waybill.standalone.cli.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters by commands, as a process. */
@ExtendWith(PostgresExtension.class)
@Timeout(180)
class DlqCommandsTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private Program program;

    @BeforeEach
    void collect_five_dead_letters(TestDatabase database) {
        this.database = database;
        schema = Program.tables(database);
        program = Program.with(directory, Program.database(database));
        try (var bus = EmbeddedServiceBus.builder()
                .queue("orders", queue -> queue.deadLetterOnExpiration().timeToLive(Duration.ofMinutes(1)))
                .start()) {
            try (var sender = new ServiceBusClientBuilder()
                    .connectionString(bus.connectionString())
                    .sender()
                    .queueName("orders")
                    .buildClient()) {
                for (int i = 0; i < 5; i++) {
                    sender.sendMessage(new ServiceBusMessage("body " + i).setMessageId("m" + i));
                }
            }
            bus.advance(Duration.ofMinutes(2));
            var queue = ServiceBusDeadLetters.ofQueue(
                    () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()), "orders");
            try (var collector = DeadLetterCollector.start(database.dataSource(), schema, List.of(queue))) {
                assertThat(collector).isNotNull();
                await().atMost(Duration.ofSeconds(30))
                        .until(() ->
                                DeadLetters.in(database.dataSource(), schema).count(DeadLetterFilter.open()) == 5);
            }
        }
    }

    @Test
    void dead_letters_are_counted_listed_and_closed_by_commands() {
        Result groups = program.run("dlq", "groups", "--json");
        assertThat(groups.json()).singleElement().satisfies(group -> {
            assertThat(group.get("entity").asText()).isEqualTo("orders");
            assertThat(group.get("reason").asText()).isEqualTo("TTLExpiredException");
            assertThat(group.get("count").asInt()).isEqualTo(5);
        });
        assertThat(program.run("dlq", "list", "--message", "m3", "--json").json())
                .hasSize(1);
        assertThat(program.run("dlq", "show", "99").exitCode()).isEqualTo(3);
        assertThat(program.run("dlq", "collectors", "--json")
                        .json()
                        .get(0)
                        .get("collected")
                        .asInt())
                .isEqualTo(5);

        assertThat(program.run("dlq", "discard", "--reason", "old").exitCode()).isEqualTo(2);
        Result unconfirmed = program.run("dlq", "discard", "--entity", "orders", "--reason", "old");
        assertThat(unconfirmed.exitCode()).isEqualTo(6);
        assertThat(unconfirmed.err()).contains("5 dead letters are discarded");
        assertThat(open()).isEqualTo(5);
        Result dry = program.run("dlq", "discard", "--message", "m0", "--reason", "old", "--dry-run", "--json");
        assertThat(dry.json().get("found").asInt()).isEqualTo(1);
        assertThat(program.run("dlq", "discard", "--message", "m0", "--reason", "old", "--yes")
                        .exitCode())
                .isZero();
        assertThat(open()).isEqualTo(4);
        assertThat(program.run("dlq", "archive", "--message", "m1", "--reason", "audit", "--keep", "42d", "--json")
                        .json()
                        .get("archived")
                        .asInt())
                .isEqualTo(1);
        assertThat(open()).isEqualTo(3);
    }

    @Test
    @Tag("long")
    void what_is_exported_can_be_imported_elsewhere_and_re_driven_through_the_outbox() throws Exception {
        Path file = directory.resolve("letters.ndjson");
        assertThat(program.run("dlq", "export", file.toString(), "--json")
                        .json()
                        .get("exported")
                        .asInt())
                .isEqualTo(5);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readAllLines(file)).hasSize(5);
        var dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        dsl.execute("with gone as (delete from " + schema.table("dead_letter_message")
                + " where message_id <> 'm4' returning id) delete from " + schema.table("dead_letter_state")
                + " where id in (select id from gone)");

        Result trial = program.run("dlq", "import", file.toString(), "--dry-run", "--reason", "moved", "--json");
        assertThat(trial.json().toString()).contains("\"lines\":5,\"imported\":4,\"refused\":0");
        assertThat(open()).as("after a dry run").isEqualTo(1);
        Path spoiled = Files.writeString(directory.resolve("spoiled.ndjson"), Files.readString(file) + "no JSON\n");
        Result refused = program.run("dlq", "import", spoiled.toString(), "--dry-run", "--reason", "moved");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err()).contains("Line 6 would be refused");

        assertThat(program.run("dlq", "import", file.toString(), "--reason", "moved", "--json")
                        .json()
                        .get("imported")
                        .asInt())
                .isEqualTo(4);
        assertThat(open()).isEqualTo(5);

        Result unknown = program.run("dlq", "redrive", "--all", "--reason", "now", "--json");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.json().get("obstacles").toString()).contains("no relay has ever served");
        assertThat(open()).isEqualTo(5);
        dsl.execute("insert into " + schema.table("outbox_destination") + " (destination) values ('orders')");
        Result plan = program.run("dlq", "redrive", "--all", "--reason", "later", "--dry-run", "--json");
        assertThat(plan.json().get("messages").asInt()).isEqualTo(5);
        Result canary =
                program.run("dlq", "redrive", "--all", "--canary", "2", "--reason", "a few first", "--yes", "--json");
        assertThat(canary.json().get("state").asText()).isEqualTo("paused");
        assertThat(canary.json().get("redriven").asInt()).isEqualTo(2);
        String run = canary.json().get("run").asText();
        assertThat(program.run("dlq", "runs", "--json").json()).hasSize(1);
        Result rest = program.run("dlq", "resume", run, "--reason", "the others too", "--json");
        assertThat(rest.json().get("state").asText()).isEqualTo("done");
        assertThat(open()).isZero();
        assertThat(dsl.fetchCount(DSL.table(schema.table("outbox_message")))).isEqualTo(5);
    }

    @Test
    void an_order_that_cannot_be_meant_is_refused_and_nothing_is_re_driven_or_discarded() {
        DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .execute("insert into " + schema.table("outbox_destination") + " (destination) values ('orders')");
        for (List<String> odd : List.of(
                List.of("redrive", "--all", "--canary", "0"),
                List.of("redrive", "--all", "--canary", "-5"),
                List.of("redrive", "--all", "--rate", "0"),
                List.of("redrive", "--all", "--to-entity", "orders", "--to-consumer", "ledger"),
                List.of("discard", "--contains", "", "--yes"))) {
            var words = new ArrayList<>(List.of("dlq"));
            words.addAll(odd);
            words.addAll(List.of("--reason", "typed in a hurry"));
            assertThat(program.run(words.toArray(String[]::new)))
                    .as(String.join(" ", odd))
                    .returns(2, Result::exitCode);
        }
        assertThat(open()).isEqualTo(5);
    }

    @Test
    void what_a_message_says_writes_nothing_but_its_own_cell_on_the_terminal() {
        DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .execute("update " + schema.table("dead_letter_message")
                        + " set subject = E'\\x1b[2Jgone\\rover\\u009b1m' where message_id = 'm1'");

        for (String verb : List.of("list", "show")) {
            String out = verb.equals("list")
                    ? program.run("dlq", "list", "--message", "m1").out()
                    : program.run("dlq", "show", idOf("m1")).out();
            assertThat(out).contains("\uFFFD[2Jgone\uFFFDover\uFFFD1m").doesNotContain("\u001b", "\r", "\u009b");
        }
    }

    private String idOf(String message) {
        return program.run("dlq", "list", "--message", message, "--json")
                .json()
                .get(0)
                .get("id")
                .asText();
    }

    @Test
    @Tag("long")
    void a_message_is_erased_by_a_command_that_lists_what_it_removed_where() throws Exception {
        assertThat(program.run("erase", "--reason", "asked for").exitCode()).isEqualTo(2);
        assertThat(program.run("erase", "--message", "m1", "--session", "s", "--reason", "asked for")
                        .exitCode())
                .isEqualTo(2);
        Result dry = program.run("erase", "--message", "m1", "--reason", "asked for", "--dry-run", "--json");
        assertThat(dry.json().get("found").get("dead-letters").asInt()).isEqualTo(1);
        assertThat(program.run("erase", "--message", "m1", "--reason", "asked for")
                        .exitCode())
                .isEqualTo(6);
        assertThat(open()).isEqualTo(5);

        Result erased = program.run("erase", "--message", "m1", "--reason", "asked for", "--yes", "--json");
        assertThat(erased.json().get("removed").get("dead-letters").asInt()).isEqualTo(1);
        assertThat(open()).isEqualTo(4);

        String spellings = "in this spelling alone";
        assertThat(program.run("erase", "--session", "\u00e9mile", "--reason", "asked for", "--yes")
                                .out()
                        + program.run("erase", "--session", "\u00c9MILE", "--reason", "asked for", "--dry-run")
                                .out())
                .containsSubsequence(spellings, spellings);
        assertThat(program.run("erase", "--session", "W-7", "--reason", "asked for", "--dry-run")
                        .out())
                .doesNotContain(spellings);
        assertThat(program.run("erasures", "list").out()).contains("asked for").doesNotContain("m1");
        Path file = directory.resolve("orders.ndjson");
        assertThat(program.run("erasures", "export", file.toString()).exitCode())
                .isZero();
        assertThat(program.run("erasures", "lift", "--message", "m1", "--reason", "mistaken", "--json")
                        .json()
                        .get("lifted")
                        .asBoolean())
                .isTrue();
        assertThat(program.run("erasures", "import", file.toString()).exitCode())
                .isZero();
        assertThat(program.run("erasures", "repeat", "--reason", "restored", "--yes")
                        .out())
                .contains("There is no copy in this database.");
    }

    private long open() {
        return DeadLetters.in(database.dataSource(), schema).count(DeadLetterFilter.open());
    }
}
