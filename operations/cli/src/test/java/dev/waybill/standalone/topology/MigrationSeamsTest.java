package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.Entities;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Where several outboxes, several namespaces and entities of others meet a migration. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class MigrationSeamsTest {
    @TempDir
    private Path directory;

    private MigrationTraffic azure;

    @BeforeEach
    void start(TestDatabase database) throws Exception {
        azure = new MigrationTraffic(database, directory);
    }

    @AfterEach
    void stop() throws Exception {
        azure.close();
    }

    @Test
    void a_destination_that_has_moved_in_one_namespace_is_where_it_was_in_another(TestDatabase database) {
        SchemaName other = azure.secondOutbox();
        move(database, azure.schema);
        Configuration configured = azure.read(azure.configuration("", "{ notes: {} }")
                .replace("schema: " + other.value() + " }", "schema: " + other.value() + ", namespace: second }")
                .replace("destination:", "  second: { host: second.servicebus.windows.net }\ndestination:")
                .replace(
                        "schema: " + azure.schema.value() + " }",
                        "schema: " + azure.schema.value() + ", namespace: main }"));

        ActiveEntities inForce = ActiveEntities.of(configured, any -> database.dataSource(), (away, why) -> {
            throw why;
        });

        Configuration found = inForce.configuration();
        assertThat(found.destinations(found.namespace("main")))
                .extracting(destination -> destination.place().entity())
                .containsExactly("notes-2");
        assertThat(found.destinations(found.namespace("second")))
                .extracting(destination -> destination.place().entity())
                .containsExactly("notes");
    }

    @Test
    @Tag("long")
    void an_outbox_whose_move_was_given_up_while_another_switched_is_found_and_moved(TestDatabase database) {
        SchemaName other = azure.secondOutbox();
        azure.portal.createQueue("notes-2", detecting());
        move(database, azure.schema);

        Result check = azure.program("{ notes: {} }").run("topology", "check");
        assertThat(check.out()).contains("destination.notes of database 'other'");
        Result delete =
                azure.program("{ notes: {} }").run("topology", "apply", "--delete", "notes", "--yes", "--reason", "r");
        assertThat(delete.err()).contains("'notes' is declared");
        Result elsewhere = azure.migrateAs("{ notes: {} }", "notes", "--to", "notes-5");
        assertThat(elsewhere.exitCode()).isEqualTo(2);

        Result again = azure.migrateAs("{ notes: {} }", "notes");

        assertThat(again.exitCode()).as(again.out() + again.err()).isZero();
        assertThat(DestinationMove.of(database.dataSource(), other, "notes")
                        .state()
                        .flatMap(DestinationMove.State::entity))
                .contains("notes-2");
    }

    @Test
    void a_topic_that_has_the_next_name_is_neither_free_nor_sent_to() {
        azure.portal.createTopic("notes-2", new CreateTopicOptions());

        Result named = azure.migrate("notes", "--to", "notes-2");
        assertThat(named.exitCode()).as(named.out() + named.err()).isEqualTo(20);
        assertThat(named.out()).contains("notes-2 could not be read");
        Result migrated = azure.migrate("notes");

        assertThat(migrated.exitCode()).as(migrated.out() + migrated.err()).isZero();
        assertThat(azure.portal.getQueueExists("notes-3")).isTrue();
    }

    @Test
    void a_queue_of_others_that_has_the_next_name_is_neither_taken_nor_changed() {
        azure.portal.createQueue("notes-2", detecting().setLockDuration(Duration.ofSeconds(17)));

        Result migrated = azure.migrate("notes");

        assertThat(migrated.exitCode()).as(migrated.out() + migrated.err()).isZero();
        assertThat(migrated.out()).contains("notes-3 is in force");
        assertThat(azure.portal.getQueue("notes-2").getLockDuration()).isEqualTo(Duration.ofSeconds(17));
    }

    @Test
    void a_path_that_azure_would_refuse_is_refused_before_anything_is_made() {
        Result refused = azure.migrate("notes", "--to", "a'b\"$(x)");

        assertThat(refused.exitCode()).as(refused.out() + refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("--to");
    }

    @Test
    @Tag("long")
    void a_new_entity_that_cannot_be_read_is_not_switched_to() throws Exception {
        try (var proxy = new AdministrationProxy(azure.bus.administrationPort())) {
            Migration migration = through(
                    proxy,
                    "{ notes: {} }",
                    "notes",
                    Migration.Step.MAKE,
                    () -> proxy.reading(body -> {
                        if (body.contains(">notes-2<")) {
                            throw new IllegalStateException("no answer");
                        }
                        return body;
                    }));
            azure.portal.createQueue("notes-2", detecting());

            assertThat(migration.run().outcome()).isEqualTo(Migration.Outcome.FAILED);
        }
    }

    @Test
    @Tag("long")
    void a_namespace_that_is_slow_and_once_silent_does_not_end_a_migration() throws Exception {
        azure.portal.createTopic("events", new CreateTopicOptions());
        for (String name : List.of("a", "b", "c")) {
            azure.portal.createSubscription("events", name, new CreateSubscriptionOptions());
        }
        String declared = "{ events: { type: topic, subscription: { a: {}, b: {}, c: {} } } }";
        var silent = new AtomicInteger(2);
        try (var proxy = new AdministrationProxy(azure.bus.administrationPort())) {
            Migration migration = through(
                    proxy,
                    declared,
                    "events",
                    Migration.Step.DRAIN,
                    () -> proxy.reading(body -> {
                        if (silent.getAndDecrement() > 0) {
                            throw new IllegalStateException("no answer");
                        }
                        LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
                        return body;
                    }));

            Migration.Ending ending = migration.run();

            assertThat(ending.outcome()).as(ending.text()).isEqualTo(Migration.Outcome.DONE);
        }
    }

    @Test
    @Tag("long")
    void a_mover_that_was_overtaken_does_not_move_what_it_has_not_seen(TestDatabase database) {
        Migration late = azure.migration("{ notes: {} }", "notes", new Watching(Migration.Step.WITHHOLD, () -> {
            DestinationMove other = DestinationMove.of(database.dataSource(), azure.schema, "notes");
            UUID token = other.begin("notes", "notes-9", Duration.ofMinutes(1), new AuditContext("ada", "r"))
                    .orElseThrow();
            assertThat(other.finish(token, other.take().orElseThrow(), false)).isPresent();
        }));

        assertThat(late.run().outcome()).isEqualTo(Migration.Outcome.BUSY);
        assertThat(DestinationMove.of(database.dataSource(), azure.schema, "notes")
                        .state()
                        .flatMap(DestinationMove.State::entity))
                .contains("notes-9");
    }

    @Test
    void nothing_is_deleted_while_nobody_knows_what_is_in_force() {
        azure.portal.createQueue("notes-2", detecting());
        String away =
                azure.configuration("", "{ notes: {} }").replaceFirst("jdbc:[^\"]*", "jdbc:postgresql://127.0.0.1:1/x");

        Result deleted =
                Program.with(directory, away).run("topology", "apply", "--delete", "notes-2", "--yes", "--reason", "r");

        assertThat(deleted.exitCode()).as(deleted.out() + deleted.err()).isEqualTo(2);
        assertThat(deleted.err()).contains("may use the entity");
        assertThat(azure.portal.getQueueExists("notes-2")).isTrue();
    }

    /** A migration that asks the proxy, and runs something when a step begins. */
    private Migration through(
            AdministrationProxy proxy, String declared, String destination, Migration.Step step, Runnable then) {
        Configuration configuration = azure.read(
                azure.configuration("", declared).replace(":" + azure.bus.administrationPort(), ":" + proxy.port()));
        var broker = new Bus(configuration.namespaces().get(0));
        Entities entities = broker.entities();
        Move move = new Move.Search(configuration, any -> azure.dataSource())
                .of(destination, Optional.empty(), Optional.empty(), entity -> destination + "-2");
        var orders = new Migration.Orders(
                Set.of(), Duration.ofMinutes(1), Duration.ofSeconds(3), new AuditContext("alice", "a test"));
        var parts = new Migration.Bus(
                Declaration.of(configuration).get(0), entities, broker.writer(), broker.contents(entities));
        return new Migration(move, orders, parts, new Watching(step, then), System::nanoTime);
    }

    private record Watching(Migration.Step step, Runnable then) implements Migration.Progress {
        @Override
        public void step(Migration.Step begun, String text) {
            if (begun == step) {
                then.run();
            }
        }

        @Override
        public void waits(String what) {}

        @Override
        public void made(ChangeResult done) {}

        @Override
        public void switched(Move.Side side, Duration pause) {}
    }

    private static CreateQueueOptions detecting() {
        return new CreateQueueOptions()
                .setDuplicateDetectionRequired(true)
                .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(10));
    }

    private static void move(TestDatabase database, SchemaName schema) {
        DestinationMove moves = DestinationMove.of(database.dataSource(), schema, "notes");
        UUID token = moves.begin("notes", "notes-2", Duration.ofMinutes(1), new AuditContext("ada", "r"))
                .orElseThrow();
        assertThat(moves.finish(token, moves.take().orElseThrow(), false)).isPresent();
    }
}
