package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.ConsolePage;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The things that a migration refuses, leaves alone, gives up, and tells. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class MigrationSafetyTest {
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
    void what_does_not_drain_is_counted_before_anything_stops_and_left_only_by_name() {
        try (var sender = azure.clients().sender().queueName("notes").buildClient();
                var receiver = azure.clients().receiver().queueName("notes").buildClient()) {
            sender.scheduleMessage(
                    new ServiceBusMessage("later"),
                    OffsetDateTime.now(ZoneOffset.UTC).plusDays(1));
            sender.sendMessage(new ServiceBusMessage("dead"));
            receiver.receiveMessages(1).forEach(receiver::deadLetter);
            sender.sendMessage(new ServiceBusMessage("deferred"));
            receiver.receiveMessages(1).forEach(receiver::defer);
        }

        Result refused = azure.migrate("notes");
        assertThat(refused.exitCode()).as(refused.out() + refused.err()).isEqualTo(20);
        assertThat(refused.out())
                .contains("notes holds 1 scheduled", "--leave scheduled")
                .contains("notes holds 1 deferred", "--leave deferred")
                .contains("notes holds 1 dead-letters", "--leave dead-letters");
        assertThat(azure.portal.getQueueExists("notes-2")).isFalse();

        Result left = azure.migrate("notes", "--leave", "scheduled,deferred", "--leave", "dead-letters");
        assertThat(left.exitCode()).as(left.out() + left.err()).isZero();
        assertThat(azure.messages("notes")).isEqualTo(3);
        assertThat(azure.messages("notes-2")).isZero();
    }

    @Test
    @Tag("long")
    void consumers_that_are_away_end_the_pause_at_its_bound_and_the_old_entity_goes_on() {
        azure.relay("one");
        azure.append("notes", "n1");
        await().until(() -> azure.messages("notes") == 1);

        Result held = azure.migrate("notes", "--drain-timeout", "5s");

        assertThat(held.exitCode()).as(held.out() + held.err()).isEqualTo(20);
        assertThat(held.out()).contains("notes holds 1 active, after 5 s", "messages go to notes again");
        azure.append("notes", "n2");
        await().until(() -> azure.messages("notes") == 2);
        assertThat(azure.messages("notes-2")).isZero();

        Result left = azure.migrate("notes", "--leave", "active");
        assertThat(left.exitCode()).as(left.out() + left.err()).isZero();
        azure.append("notes", "n3");
        await().until(() -> azure.messages("notes-2") == 1);
        assertThat(azure.messages("notes")).isEqualTo(2);
    }

    @Test
    @Tag("long")
    void a_relay_that_starts_with_the_old_configuration_goes_to_the_new_entity_and_everybody_is_told(
            TestDatabase database) {
        Destinations.of(database.dataSource(), azure.schema).pause("notes", new AuditContext("ada", "an incident"));
        assertThat(azure.program().run("topology", "plan").out()).contains("waybill-relay topology migrate notes");

        Result migrated = azure.migrate("notes");

        assertThat(migrated.exitCode()).as(migrated.out() + migrated.err()).isZero();
        assertThat(migrated.out()).contains("set destination.notes.entity to notes-2", "topology apply --delete notes");
        assertThat(Destinations.of(database.dataSource(), azure.schema).paused())
                .singleElement()
                .returns("an incident", Destinations.Pause::reason);
        Destinations.of(database.dataSource(), azure.schema).resume("notes", new AuditContext("ada", "it is over"));
        azure.relay("one");
        azure.append("notes", "n1");
        await().until(() -> azure.messages("notes-2") == 1);
        assertThat(azure.messages("notes")).isZero();

        Result check = azure.program().run("topology", "check");
        assertThat(check.out())
                .contains("destination.notes.entity")
                .doesNotContain("duplicate detection  on        off\n");
        Result applied = azure.program("{ notes: {} }").run("topology", "apply", "--dry-run");
        assertThat(applied.exitCode()).as(applied.out() + applied.err()).isEqualTo(10);
        assertThat(applied.out()).contains("set destination.notes.entity to notes-2");
        Result agreed = azure.program("{ notes: { entity: notes-2 } }").run("topology", "check");
        assertThat(agreed.exitCode()).as(agreed.out() + agreed.err()).isZero();
    }

    @Test
    void a_dry_run_says_the_steps_and_changes_nothing() {
        Result dry = azure.program().run("topology", "migrate", "notes", "--dry-run");

        assertThat(dry.exitCode()).as(dry.out() + dry.err()).isEqualTo(10);
        assertThat(dry.out()).contains("notes moves from notes to notes-2", "notes is empty", "By hand");
        assertThat(azure.portal.getQueueExists("notes-2")).isFalse();
        assertThat(azure.program("{ notes: { duplicate-window: 0 } }")
                        .run("topology", "migrate", "notes", "--dry-run")
                        .out())
                .contains("Nothing of notes that is fixed at creation differs");
        assertThat(azure.migrate("nobody").exitCode()).isEqualTo(3);
    }

    @Test
    void the_page_shows_the_lines_of_a_migration() {
        ConsolePage.Step step = ConsolePage.steps(Path.of("../../docs/operations/azure.md")).stream()
                .filter(shown -> shown.command().startsWith("topology migrate orders --reason"))
                .findFirst()
                .orElseThrow();
        try (var sender = azure.clients().sender().queueName("orders").buildClient()) {
            sender.sendMessages(IntStream.range(0, 12)
                    .mapToObj(number -> new ServiceBusMessage("1")
                            .setMessageId("m" + number)
                            .setSessionId("s"))
                    .toList());
        }
        var out = new StringWriter();
        Program program = azure.program();
        CompletableFuture<Integer> migration =
                CompletableFuture.supplyAsync(() -> program.run(Map.of(), out, out, ConsolePage.words(step.command())));
        await().until(() -> out.toString().contains("waits: "));
        azure.ledger("orders");

        assertThat(migration.join()).as(out.toString()).isZero();
        assertThat(out.toString().replaceAll("for [0-9.]+ s", "for 1.392 s")).matches(step.expected());
    }

    @Test
    void a_migration_that_was_begun_goes_on_with_its_target_or_is_given_up(TestDatabase database) {
        DestinationMove.of(database.dataSource(), azure.schema, "notes")
                .begin("notes", "notes-7", Duration.ofMillis(1), new AuditContext("ada", "r"));

        Result other = azure.migrate("notes", "--to", "notes-8");
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err()).contains("A migration to 'notes-7' has begun");
        Result abort = azure.migrate("notes", "--abort");
        assertThat(abort.exitCode()).as(abort.out() + abort.err()).isZero();
        assertThat(azure.migrate("notes", "--abort").exitCode()).isEqualTo(3);
        assertThat(azure.migrate("notes", "--to", "notes-8").exitCode()).isZero();
        assertThat(azure.portal.getQueueExists("notes-8")).isTrue();
    }

    @Test
    @Tag("long")
    void a_migration_that_somebody_is_at_is_left_alone(TestDatabase database) {
        DestinationMove.of(database.dataSource(), azure.schema, "notes")
                .begin("notes", "notes-2", Duration.ofMinutes(5), new AuditContext("ada", "r"));

        Result busy = azure.migrate("notes");

        assertThat(busy.exitCode()).as(busy.out() + busy.err()).isEqualTo(4);
        assertThat(busy.out()).contains("somebody else is migrating");
        assertThat(azure.program().run("status").out()).contains("moves to notes-2");
        assertThat(azure.program()
                        .run("relay", "resume", "notes", "--reason", "r")
                        .err())
                .contains("'notes' moves to 'notes-2'");
        assertThat(azure.program().run("topology", "check").out()).contains("migration to notes-2", "under way");
    }

    @Test
    @Tag("long")
    void a_migration_that_is_killed_between_two_outboxes_is_completed_and_cannot_be_given_up(TestDatabase database) {
        SchemaName other = azure.secondOutbox();
        Migration dying = azure.migration("{ notes: {} }", "notes", new KilledAfterTheFirst());
        assertThatThrownBy(dying::run).isInstanceOf(MigrationTraffic.Killed.class);
        assertThat(inForce(database, azure.schema) + inForce(database, other)).isEqualTo("notes-2");

        Result abort = azure.migrate("notes", "--abort");
        assertThat(abort.exitCode()).as(abort.out() + abort.err()).isEqualTo(20);
        Result next = azure.migrate("notes");

        assertThat(next.exitCode()).as(next.out() + next.err()).isZero();
        assertThat(inForce(database, azure.schema)).isEqualTo("notes-2");
        assertThat(inForce(database, other)).isEqualTo("notes-2");
    }

    @Test
    void messages_that_the_new_entity_would_refuse_for_want_of_a_session_stand_in_the_way(TestDatabase database) {
        azure.relay("one");
        await().until(() -> !azure.dsl
                .fetch("select from " + azure.schema.table("outbox_destination") + " where destination = 'notes'")
                .isEmpty());
        Destinations.of(database.dataSource(), azure.schema).pause("notes", new AuditContext("ada", "a test"));
        azure.append("notes", "n1");
        String declared = "{ orders: { sessions: true }, notes: { sessions: true } }";

        Result refused = azure.migrateAs(declared, "notes");
        assertThat(refused.exitCode()).as(refused.out() + refused.err()).isEqualTo(20);
        assertThat(refused.out()).contains("messages without a session wait in the outbox");
        Destinations.of(database.dataSource(), azure.schema).resume("notes", new AuditContext("ada", "it is over"));
        await().until(() -> azure.messages("notes") == 1);

        await().untilAsserted(() -> assertThat(
                        azure.migrateAs(declared, "notes", "--leave", "active").exitCode())
                .isZero());
    }

    private static String inForce(TestDatabase database, SchemaName schema) {
        return DestinationMove.of(database.dataSource(), schema, "notes")
                .state()
                .flatMap(DestinationMove.State::entity)
                .orElse("");
    }

    private static final class KilledAfterTheFirst implements Migration.Progress {
        @Override
        public void step(Migration.Step step, String text) {}

        @Override
        public void waits(String what) {}

        @Override
        public void made(ChangeResult done) {}

        @Override
        public void switched(Move.Side side, Duration pause) {
            throw new MigrationTraffic.Killed();
        }
    }

    @Test
    void what_is_forwarded_to_the_old_entity_or_lies_in_the_new_one_stands_in_the_way() {
        azure.portal.createQueue(
                "notes-9",
                new CreateQueueOptions()
                        .setDuplicateDetectionRequired(true)
                        .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(10)));
        try (var sender = azure.clients().sender().queueName("notes-9").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("of others"));
        }

        Result refused = azure.migrateAs("{ notes: {}, inbound: { forward-to: notes } }", "notes", "--to", "notes-9");

        assertThat(refused.exitCode()).isEqualTo(20);
        assertThat(refused.out()).contains("destination.inbound forwards to notes", "notes-9 holds 1 active");
    }

    @Test
    void a_topic_moves_with_its_subscriptions_and_rules_and_not_without_those_that_nobody_has_declared() {
        azure.portal.createTopic("events", new CreateTopicOptions());
        azure.portal.createSubscription("events", "fraud", new CreateSubscriptionOptions());
        azure.portal.deleteRule("events", "fraud", "$Default");
        azure.portal.createRule("events", "big", "fraud", new CreateRuleOptions(new SqlRuleFilter("amount > 100")));
        azure.portal.createSubscription("events", "forgotten", new CreateSubscriptionOptions());
        String declared =
                "{ events: { type: topic, subscription: { fraud: { sessions: true, rule: { big: 'amount > 100' } } } } }";

        Result refused = azure.migrateAs(declared, "events");
        assertThat(refused.exitCode()).as(refused.out() + refused.err()).isEqualTo(20);
        assertThat(refused.out()).contains("the subscription forgotten of events is not declared");
        azure.portal.deleteSubscription("events", "forgotten");
        Result migrated = azure.migrateAs(declared, "events");

        assertThat(migrated.exitCode()).as(migrated.out() + migrated.err()).isZero();
        assertThat(azure.portal.getSubscription("events-2", "fraud").isSessionRequired())
                .isTrue();
        assertThat(azure.portal.listRules("events-2", "fraud").stream().map(rule -> rule.getName()))
                .containsExactly("big");
        assertThat(azure.portal.getTopicExists("events")).isTrue();
    }
}
