package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.topology.Difference.Kind;
import dev.waybill.standalone.topology.Difference.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Through the real administration client, against the embedded broker's administration endpoint. */
@Timeout(120)
class TopologyTest {
    private static final String DECLARED = """
            namespace:
              main:
                tier: premium
                connection-string: "%s"
                administration-endpoint: "http://127.0.0.1:%d"
            destination:
              orders: { sessions: true }
              events:
                type: topic
                subscription:
                  fraud: { rule: { big: "amount > 100" } }
            """;

    @TempDir
    private Path directory;

    @Test
    void entities_that_are_as_declared_differ_in_nothing() throws IOException {
        assertThat(compare(builder(queue -> queue, "amount > 100"))).isEmpty();
    }

    @Test
    void a_queue_without_sessions_comes_with_the_steps_to_make_it_anew_and_switch_in_order() throws IOException {
        List<Difference> differences =
                compare(builder(queue -> queue.requiresSession(false).partitioned(true), "amount > 100"));

        assertThat(differences)
                .extracting(Difference::setting, Difference::kind)
                .containsExactlyInAnyOrder(
                        tuple(new Setting("sessions", "on", "off"), Kind.RECREATE),
                        tuple(new Setting("partitioned", "off", "on"), Kind.RECREATE));
        List<String> steps = differences.get(0).steps();
        assertThat(steps.get(0)).contains("topology migrate orders --dry-run");
        assertThat(steps.get(1)).contains("topology migrate orders --reason");
        assertThat(steps.get(2)).contains("let the consumers receive from the new entity");
        assertThat(steps.get(3)).contains("destination.orders.entity");
        assertThat(steps.get(4)).contains("topology apply --delete orders");
    }

    @Test
    void duplicate_detection_that_is_off_cannot_be_switched_on_and_a_window_can_be_changed() throws IOException {
        assertThat(compare(builder(queue -> queue.duplicateWindow(null), "amount > 100")))
                .singleElement()
                .satisfies(difference -> {
                    assertThat(difference.setting().name()).isEqualTo("duplicate detection");
                    assertThat(difference.kind()).isEqualTo(Kind.RECREATE);
                });
        assertThat(compare(builder(queue -> queue.duplicateDetection(Duration.ofMinutes(1)), "amount > 100")))
                .singleElement()
                .satisfies(difference -> {
                    assertThat(difference.setting().name()).isEqualTo("duplicate-window");
                    assertThat(difference.kind()).isEqualTo(Kind.CHANGE);
                    assertThat(difference.steps())
                            .singleElement()
                            .asString()
                            .contains("--duplicate-detection-history-time-window PT10M");
                });
    }

    @Test
    void a_target_in_another_case_is_the_declared_one() throws IOException {
        var builder = builder(queue -> queue.forwardDeadLettersTo("Other"), "amount > 100");
        try (var bus = builder.start()) {
            assertThat(compare(bus, Map.of("destination.orders.forward-dead-letters-to", "oTHER")))
                    .isEmpty();
            assertThat(compare(bus, Map.of("destination.orders.forward-dead-letters-to", "events")))
                    .hasSize(1);
        }
    }

    @Test
    void a_changed_rule_is_changed_in_one_step_so_that_no_message_falls_between_two() throws IOException {
        assertThat(compare(builder(queue -> queue, "amount > 1")))
                .singleElement()
                .satisfies(difference -> assertThat(difference.steps())
                        .singleElement()
                        .asString()
                        .contains("rule update", "--name big --filter-sql-expression 'amount > 100'"));
    }

    @Test
    void a_new_subscription_gets_its_rules_before_it_loses_the_one_that_takes_everything() throws IOException {
        var builder = EmbeddedServiceBus.builder()
                .administrationPort(0)
                .queue("orders", healthy())
                .topic("events", topic -> topic.duplicateDetection(Duration.ofMinutes(10)));

        assertThat(compare(builder)).singleElement().satisfies(difference -> {
            assertThat(difference.kind()).isEqualTo(Kind.MISSING);
            assertThat(difference.steps()).hasSize(3);
            assertThat(difference.steps().get(0)).contains("subscription create");
            assertThat(difference.steps().get(1)).contains("rule create", "big");
            assertThat(difference.steps().get(2)).contains("rule delete", "$Default");
        });
    }

    @Test
    void a_line_break_in_a_filter_does_not_end_the_comment_of_a_plan() throws IOException {
        try (var bus = builder(queue -> queue, "amount > 100\nor amount < 1").start()) {
            Program program = Program.with(
                    directory, declared(bus) + "database: { main: { url: 'jdbc:postgresql://nowhere/x' } }\n");

            assertThat(program.run("topology", "plan").out().lines())
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("#") || line.startsWith("az "));
        }
    }

    @Test
    void every_setting_that_can_be_changed_is_found_with_its_command() throws IOException {
        List<Difference> differences = compare(builder(
                queue -> queue.lockDuration(Duration.ofSeconds(30))
                        .maxDeliveryCount(3)
                        .timeToLive(Duration.ofHours(1))
                        .deadLetterOnExpiration(false)
                        .forwardTo("other")
                        .forwardDeadLettersTo("other"),
                "amount > 100"));

        assertThat(differences)
                .extracting(difference -> difference.setting().name())
                .containsExactly(
                        "lock-duration",
                        "max-delivery-count",
                        "time-to-live",
                        "dead-letter-on-expiry",
                        "forward-to",
                        "forward-dead-letters-to");
        assertThat(differences).allSatisfy(difference -> {
            boolean forward = difference.setting().name().startsWith("forward");
            assertThat(difference.kind()).isEqualTo(forward ? Kind.UNDECLARED : Kind.CHANGE);
            assertThat(difference.steps()).singleElement().asString().startsWith("az servicebus queue update");
        });
    }

    @Test
    void a_namespace_of_another_tier_than_declared_is_told_as_the_doctor_tells_it() throws IOException {
        try (var bus = builder(queue -> queue, "amount > 100").start()) {
            assertThat(compare(bus, Map.of("namespace.main.tier", "standard")))
                    .singleElement()
                    .satisfies(difference -> {
                        assertThat(difference.setting()).isEqualTo(new Setting("tier", "standard", "premium"));
                        assertThat(difference.kind()).isEqualTo(Kind.CHANGE);
                    });
        }
    }

    @Test
    void rules_that_differ_and_a_default_that_was_left_are_found() throws IOException {
        List<Difference> differences = compare(EmbeddedServiceBus.builder()
                .administrationPort(0)
                .queue("other")
                .queue("orders", healthy())
                .topic(
                        "events",
                        topic -> topic.duplicateDetection(Duration.ofMinutes(10))
                                .subscription(
                                        "fraud",
                                        fraud -> fraud.delivery(TopologyTest::receiving)
                                                .sqlRule("$Default", "1=1")
                                                .sqlRule("big", "amount > 10"))));

        assertThat(differences)
                .extracting(
                        difference -> difference.setting().name(),
                        difference -> difference.setting().declared())
                .containsExactlyInAnyOrder(tuple("rule big", "amount > 100"), tuple("rule $Default", ""));
    }

    @Test
    void a_default_rule_that_an_exported_template_has_closed_is_no_difference() throws IOException {
        assertThat(compare(EmbeddedServiceBus.builder()
                        .administrationPort(0)
                        .queue("orders", healthy())
                        .topic(
                                "events",
                                topic -> topic.duplicateDetection(Duration.ofMinutes(10))
                                        .subscription(
                                                "fraud",
                                                fraud -> fraud.delivery(TopologyTest::receiving)
                                                        .sqlRule("$Default", "1=0")
                                                        .sqlRule("big", "amount > 100")))))
                .isEmpty();
    }

    @Test
    void a_topic_in_the_place_of_a_queue_hides_nothing_else() throws IOException {
        List<Difference> differences = compare(EmbeddedServiceBus.builder()
                .administrationPort(0)
                .topic("orders", topic -> topic)
                .queue("other"));

        assertThat(differences)
                .extracting(Difference::entity, Difference::kind)
                .startsWith(tuple("orders", Kind.UNKNOWN), tuple("events", Kind.MISSING));
        assertThat(differences.get(0).setting().actual()).contains("another kind");
    }

    @Test
    void what_is_missing_and_what_cannot_be_verified_is_told() throws IOException {
        assertThat(compare(EmbeddedServiceBus.builder().administrationPort(0)))
                .extracting(Difference::entity, Difference::kind)
                .containsExactly(
                        tuple("orders", Kind.MISSING),
                        tuple("events", Kind.MISSING),
                        tuple("events/Subscriptions/fraud", Kind.MISSING));
        try (var bus = builder(queue -> queue, "amount > 100").start()) {
            assertThat(compare(bus, Map.of("namespace.main.administration", "false")))
                    .extracting(Difference::kind)
                    .containsOnly(Kind.UNKNOWN);
        }
    }

    @Test
    void the_commands_end_with_what_it_takes() throws IOException {
        try (var bus =
                builder(queue -> queue.requiresSession(false), "amount > 100").start()) {
            Program program = Program.with(directory, declared(bus));
            Result check = program.run("topology", "check", "--json");
            assertThat(check.exitCode()).isEqualTo(20);
            assertThat(check.json().get(0).get("takes").asText()).isEqualTo("recreate");
            Result plan = program.run("topology", "plan");
            assertThat(plan.exitCode()).isEqualTo(20);
            assertThat(plan.out()).contains("waybill-relay topology migrate orders");
        }
        try (var bus = builder(queue -> queue, "amount > 100").start()) {
            Result check = Program.with(directory, declared(bus)).run("topology", "check");
            assertThat(check.exitCode()).isZero();
            assertThat(check.out()).contains("Everything is as declared.");
        }
    }

    private static EmbeddedServiceBusBuilder builder(UnaryOperator<QueueOptions> change, String rule) {
        return EmbeddedServiceBus.builder()
                .administrationPort(0)
                .queue("other")
                .queue("orders", change.apply(healthy()))
                .topic(
                        "events",
                        topic -> topic.duplicateDetection(Duration.ofMinutes(10))
                                .subscription(
                                        "fraud",
                                        fraud -> fraud.delivery(TopologyTest::receiving)
                                                .sqlRule("big", rule)));
    }

    private static QueueOptions healthy() {
        return receiving(QueueOptions.defaults()).requiresSession().duplicateDetection(Duration.ofMinutes(10));
    }

    private static QueueOptions receiving(QueueOptions options) {
        return options.lockDuration(Duration.ofMinutes(1))
                .maxDeliveryCount(10)
                .timeToLive(Duration.ofDays(14))
                .deadLetterOnExpiration();
    }

    private List<Difference> compare(EmbeddedServiceBusBuilder builder) throws IOException {
        try (var bus = builder.start()) {
            return compare(bus, Map.of());
        }
    }

    private List<Difference> compare(EmbeddedServiceBus bus, Map<String, String> flags) throws IOException {
        Path file = Files.writeString(directory.resolve("declared.yaml"), declared(bus));
        var flagsAndDatabase = new java.util.HashMap<>(flags);
        flagsAndDatabase.put("database.main.url", "jdbc:postgresql://nowhere/x");
        Configuration configuration =
                Configuration.of(new Sources(flagsAndDatabase, Map.of(), Map.of(), Optional.of(file)));
        return Comparison.of(configuration, namespace -> new Bus(namespace).entities());
    }

    private static String declared(EmbeddedServiceBus bus) {
        return DECLARED.formatted(bus.connectionString(), bus.administrationPort());
    }
}
