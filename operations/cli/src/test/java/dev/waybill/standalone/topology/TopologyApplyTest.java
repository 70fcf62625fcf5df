package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import dev.waybill.standalone.Program.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Through the real administration client, against the embedded broker's administration endpoint. */
@Timeout(120)
class TopologyApplyTest {
    /** The sources stand before their targets. */
    private static final String DECLARED = """
            orders: { sessions: true, forward-dead-letters-to: graveyard }
            inbound: { forward-to: orders-in }
            orders-in: { lock-duration: 2m, max-delivery-count: 6, time-to-live: 7d, dead-letter-on-expiry: false }
            graveyard: { duplicate-window: 0, max-message-size: 2MiB }
            events:
              type: topic
              duplicate-window: 1h
              subscription:
                fraud:
                  sessions: true
                  rule: { big: "amount > 100", odd: "kind = 'odd'" }
                all: { forward-to: graveyard }
            """;

    @TempDir
    private Path directory;

    private ApplyBus azure;

    @BeforeEach
    void start() throws IOException {
        azure = new ApplyBus(directory);
    }

    @AfterEach
    void stop() {
        azure.close();
    }

    @Test
    @Tag("long")
    void whatever_is_missing_is_created_targets_first_and_a_second_apply_writes_nothing() {
        Result first = azure.apply(DECLARED);

        assertThat(first.exitCode()).as(first.out() + first.err()).isZero();
        assertThat(first.out()).contains("created orders in the namespace 'main': queue");
        assertThat(azure.portal.listRules("events", "fraud"))
                .extracting(RuleProperties::getName)
                .containsExactlyInAnyOrder("big", "odd");
        assertThat(azure.portal.getQueue("graveyard").getMaxMessageSizeInKilobytes())
                .isEqualTo(2_048);
        Result check = azure.program(DECLARED).run("topology", "check");
        assertThat(check.exitCode()).as(check.out()).isZero();

        int writes = azure.proxy.writes().size();
        Result second = azure.apply(DECLARED);
        assertThat(second.exitCode()).isZero();
        assertThat(second.out()).contains("Everything is as declared.");
        assertThat(azure.proxy.writes()).hasSize(writes);
    }

    @Test
    void a_new_subscription_never_lets_in_what_its_rules_leave_out() {
        azure.apply(DECLARED);

        assertThat(azure.proxy.writes())
                .filteredOn(write -> write.path().contains("fraud"))
                .extracting(write -> write.method() + " " + write.path())
                .containsExactly("PUT events/subscriptions/fraud", "PUT events/subscriptions/fraud/rules/odd");
        assertThat(azure.proxy.writes())
                .filteredOn(write -> write.path().endsWith("fraud"))
                .singleElement()
                .satisfies(write -> assertThat(write.body()).contains("DefaultRuleDescription", "<Name>big</Name>"));
    }

    @Test
    void every_setting_that_may_change_is_changed_and_nothing_that_others_have_set_is_lost() {
        azure.portal.createQueue("elsewhere");
        azure.portal.createQueue(
                "orders-in",
                new CreateQueueOptions()
                        .setDuplicateDetectionRequired(true)
                        .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(1))
                        .setForwardDeadLetteredMessagesTo("elsewhere")
                        .setUserMetadata("of the portal")
                        .setAutoDeleteOnIdle(Duration.ofDays(30))
                        .setMaxSizeInMegabytes(2_048)
                        .setStatus(EntityStatus.RECEIVE_DISABLED));
        azure.proxy.reading(body -> body.replace(
                "<AuthorizationRules></AuthorizationRules>",
                "<AuthorizationRules><AuthorizationRule><KeyName>of-others</KeyName></AuthorizationRule>"
                        + "</AuthorizationRules>"));

        Result applied = azure.json("orders-in: { lock-duration: 2m, time-to-live: 7d, dead-letter-on-expiry: true }");

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(10);
        QueueProperties queue = azure.portal.getQueue("orders-in");
        assertThat(queue.getLockDuration()).isEqualTo(Duration.ofMinutes(2));
        assertThat(queue.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofDays(7));
        assertThat(queue.isDeadLetteringOnMessageExpiration()).isTrue();
        assertThat(queue.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(10));
        assertThat(queue.getForwardDeadLetteredMessagesTo())
                .endsWith("/elsewhere")
                .doesNotContain("sb:/");
        assertThat(queue.getUserMetadata()).isEqualTo("of the portal");
        assertThat(queue.getAutoDeleteOnIdle()).isEqualTo(Duration.ofDays(30));
        assertThat(queue.getMaxSizeInMegabytes()).isEqualTo(2_048);
        assertThat(queue.getStatus()).isEqualTo(EntityStatus.RECEIVE_DISABLED);
        assertThat(azure.proxy.writes())
                .singleElement()
                .satisfies(write -> assertThat(write.body()).contains("<KeyName>of-others</KeyName>"));
        assertThat(applied.json().get("plan").findValuesAsText("does")).contains("change", "leave");
        assertThat(applied.out()).contains("--forward-dead-lettered-messages-to ''", "--status Active");
    }

    /** Azure multiplies by the partitions what it was told, and takes 1024 to 5120. */
    @Test
    void a_partitioned_queue_of_the_standard_tier_does_not_grow_with_each_change() {
        azure.portal.createQueue(
                "orders", new CreateQueueOptions().setPartitioningEnabled(true).setMaxSizeInMegabytes(2_048));
        azure.proxy.reading(body -> body.replace("MaxSizeInMegabytes>2048<", "MaxSizeInMegabytes>32768<"));

        azure.apply(
                "orders: { partitioned: true, duplicate-window: 0, max-delivery-count: 4 }",
                "--set",
                "namespace.main.tier=standard");

        assertThat(azure.portal.getQueue("orders").getMaxDeliveryCount()).isEqualTo(4);
        assertThat(azure.portal.getQueue("orders").getMaxSizeInMegabytes()).isEqualTo(2_048);
    }

    @Test
    void a_changed_subscription_keeps_what_others_have_set_and_its_time_to_live() {
        azure.portal.createQueue("elsewhere");
        azure.portal.createTopic("events");
        azure.portal.createSubscription(
                "events",
                "all",
                new CreateSubscriptionOptions()
                        .setDefaultMessageTimeToLive(Duration.ofDays(3))
                        .setForwardTo("elsewhere")
                        .setUserMetadata("of the portal")
                        .setEnableDeadLetteringOnFilterEvaluationExceptions(false)
                        .setAutoDeleteOnIdle(Duration.ofDays(30)));
        azure.proxy.reading(body -> body.replace("<ForwardTo>https:", "<ForwardTo>sb:"));

        Result applied = azure.apply("""
                events:
                  type: topic
                  duplicate-window: 0
                  subscription: { all: { time-to-live: 3d, max-delivery-count: 4 } }
                """);

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(10);
        SubscriptionProperties subscription = azure.portal.getSubscription("events", "all");
        assertThat(subscription.getMaxDeliveryCount()).isEqualTo(4);
        assertThat(subscription.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofDays(3));
        assertThat(subscription.getForwardTo()).endsWith("/elsewhere").doesNotContain("sb:/");
        assertThat(subscription.getUserMetadata()).isEqualTo("of the portal");
        assertThat(subscription.isDeadLetteringOnFilterEvaluationExceptions()).isFalse();
        assertThat(subscription.getAutoDeleteOnIdle()).isEqualTo(Duration.ofDays(30));
    }

    @Test
    void flags_that_are_fixed_at_creation_are_refused_with_the_way_round_them_and_the_rest_is_done() {
        azure.portal.createQueue("orders", new CreateQueueOptions().setMaxDeliveryCount(3));

        Result applied = azure.apply("orders: { sessions: true }\nother: {}");

        assertThat(applied.exitCode()).as(applied.err()).isEqualTo(20);
        assertThat(applied.out())
                .contains(
                        "refuse",
                        "sessions",
                        "duplicate detection",
                        "waybill-relay topology migrate orders",
                        "created other");
        assertThat(azure.portal.getQueue("orders").isSessionRequired()).isFalse();
        assertThat(azure.portal.getQueue("orders").getMaxDeliveryCount()).isEqualTo(10);
    }

    @Test
    void the_default_rule_goes_once_the_declared_ones_are_there_and_rules_of_others_stay() {
        azure.portal.createTopic("events", new CreateTopicOptions());
        azure.portal.createSubscription("events", "fraud", new CreateSubscriptionOptions());
        azure.portal.createRule("events", "of-others", "fraud", new CreateRuleOptions(new SqlRuleFilter("a = 1")));
        azure.portal.createRule("events", "big", "fraud", new CreateRuleOptions(new SqlRuleFilter("amount > 10")));
        String declared = """
                events:
                  type: topic
                  duplicate-window: 0
                  subscription: { fraud: { rule: { big: "amount > 100", odd: "kind = 'odd'" } } }
                """;

        Result applied = azure.apply(declared);

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(10);
        assertThat(azure.portal.listRules("events", "fraud"))
                .extracting(rule -> rule.getName() + ": " + ((SqlRuleFilter) rule.getFilter()).getSqlExpression())
                .containsExactlyInAnyOrder("big: amount > 100", "odd: kind = 'odd'", "of-others: a = 1");
        assertThat(azure.proxy.writes())
                .extracting(write -> write.method() + " " + write.path().replaceFirst(".*/", ""))
                .containsExactly("PUT fraud", "PUT odd", "PUT big", "DELETE $Default");
        assertThat(azure.apply(declared, "--delete", "events/Subscriptions/fraud/Rules/of-others")
                        .exitCode())
                .isZero();
        assertThat(azure.portal.listRules("events", "fraud")).hasSize(2);
    }

    @Test
    void a_default_rule_that_somebody_has_changed_is_somebodys() {
        azure.portal.createTopic("events");
        azure.portal.createSubscription(
                "events",
                "fraud",
                "$Default",
                new CreateSubscriptionOptions().setDefaultMessageTimeToLive(Duration.ofDays(14)),
                new CreateRuleOptions(new SqlRuleFilter("amount > 7")));

        azure.apply("""
                events: { type: topic, duplicate-window: 0, subscription: { fraud: { rule: { big: "amount > 100" } } } }
                """);

        assertThat(azure.portal.listRules("events", "fraud"))
                .extracting(RuleProperties::getName)
                .containsExactlyInAnyOrder("$Default", "big");
    }
}
