package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.topology.AdministrationProxy.Fate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A subscription with one rule becomes one with two, of which the first one lets in less than before. */
@Timeout(120)
class TopologyApplyRulesTest {
    private static final String DECLARED = """
            events:
              type: topic
              duplicate-window: 0
              subscription: { fraud: { rule: { big: "amount > 100", small: "amount <= 100" } } }
            """;

    @TempDir
    private Path directory;

    private ApplyBus azure;

    @BeforeEach
    void start() throws IOException {
        azure = new ApplyBus(directory);
        azure.portal.createTopic("events");
        azure.portal.createSubscription(
                "events",
                "fraud",
                "big",
                new CreateSubscriptionOptions(),
                new CreateRuleOptions(new SqlRuleFilter("amount > 0")));
        assertThat(azure.portal.listRules("events", "fraud"))
                .extracting(RuleProperties::getName)
                .containsExactly("big");
    }

    @AfterEach
    void stop() {
        azure.close();
    }

    @Test
    void a_rule_is_not_narrowed_before_the_one_that_takes_the_rest_is_there() {
        Result applied = azure.apply(DECLARED);

        assertThat(applied.exitCode()).as(applied.out()).isZero();
        assertThat(rulesWritten()).containsExactly("PUT small", "PUT big");
        assertThat(filters()).containsExactlyInAnyOrder("amount > 100", "amount <= 100");
    }

    @Test
    void a_rule_that_cannot_be_made_leaves_the_others_as_they_were() {
        azure.proxy.onWrite(write -> write.path().endsWith("/small") ? Fate.REFUSED : Fate.REACHES);

        Result applied = azure.apply(DECLARED);

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(1);
        assertThat(applied.out()).contains("failed events/Subscriptions/fraud", "rule small:");
        assertThat(filters()).containsExactly("amount > 0");
    }

    @Test
    void an_apply_that_fails_between_two_rules_says_which_one_was_made() {
        azure.proxy.onWrite(write -> write.path().endsWith("/big") ? Fate.REFUSED : Fate.REACHES);

        Result applied = azure.apply(DECLARED);

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(1);
        assertThat(applied.out()).contains("rule big:").containsPattern("; done before that: settings, rule small");
        assertThat(filters()).containsExactlyInAnyOrder("amount > 0", "amount <= 100");
    }

    @Test
    @Tag("long")
    void a_rule_of_an_earlier_attempt_is_told_when_a_later_one_fails() {
        var once = new AtomicBoolean(true);
        azure.proxy.onWrite(write -> {
            if (!write.path().endsWith("/big")) {
                return Fate.REACHES;
            }
            return once.getAndSet(false) ? Fate.CONFLICT : Fate.REFUSED;
        });

        Result applied = azure.apply(DECLARED);

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(1);
        assertThat(rulesWritten()).containsExactly("PUT small", "PUT big", "PUT big");
        assertThat(applied.out()).contains("rule small");
        assertThat(applied.out()).containsPattern("done before that: .*rule small");
    }

    @Test
    void a_default_rule_that_is_declared_closes_after_the_others_are_there() {
        azure.portal.createRule("events", "$Default", "fraud", new CreateRuleOptions(new SqlRuleFilter("1=1")));

        Result applied = azure.apply("""
                events:
                  type: topic
                  duplicate-window: 0
                  subscription:
                    fraud: { rule: { $Default: "amount > 500", big: "amount > 100", small: "amount <= 100" } }
                """);

        assertThat(applied.exitCode()).as(applied.out()).isZero();
        assertThat(rulesWritten()).containsExactly("PUT small", "PUT big", "PUT $Default");
    }

    private List<String> rulesWritten() {
        return azure.proxy.writes().stream()
                .filter(write -> write.path().contains("/rules/"))
                .map(write -> write.method() + " " + write.path().replaceFirst(".*/", ""))
                .toList();
    }

    private List<String> filters() {
        return azure.portal.listRules("events", "fraud").stream()
                .map(rule -> ((SqlRuleFilter) rule.getFilter()).getSqlExpression())
                .toList();
    }
}
