package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.waybill.standalone.Program.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names and filters as people write them. */
@Timeout(60)
class ApplySeamsTest {
    private static final String TOPIC =
            "events: { type: topic, subscription: { fraud: { sessions: true, rule: { big: 'amount > 100' } } } }";

    @TempDir
    private Path directory;

    private ApplyBus azure;

    @BeforeEach
    void start() throws Exception {
        azure = new ApplyBus(directory);
    }

    @AfterEach
    void stop() {
        azure.close();
    }

    @Test
    void a_declared_subscription_is_not_deleted_by_another_spelling_of_its_path() {
        assertThat(azure.apply(TOPIC).exitCode()).isZero();

        for (String path : List.of(
                "/events/Subscriptions/fraud",
                "events/Subscriptions/FRAUD",
                "events/Subscriptions/fraud/Rules/BIG",
                "events?x/Subscriptions/fraud",
                "")) {
            Result deleted = azure.apply(TOPIC, "--delete", path);

            assertThat(deleted.exitCode())
                    .as(path + deleted.out() + deleted.err())
                    .isEqualTo(2);
        }
        assertThat(azure.portal.getSubscriptionExists("events", "fraud")).isTrue();
    }

    @Test
    void rules_whose_names_differ_by_case_are_one_rule() {
        assertThat(azure.apply(TOPIC).exitCode()).isZero();

        Result other = azure.apply(TOPIC.replace("big", "BIG").replace("100", "200"));

        assertThat(other.exitCode()).as(other.out() + other.err()).isZero();
        assertThat(azure.portal.listRules("events", "fraud").stream()
                        .map(rule -> ((SqlRuleFilter) rule.getFilter()).getSqlExpression()))
                .containsExactly("amount > 200");
        Result twice = azure.apply(TOPIC.replace("big:", "BIG: '1=1', big:"));
        assertThat(twice.exitCode()).isEqualTo(2);
        assertThat(twice.err()).contains("differs from another one in case only");
    }

    @Test
    void an_empty_filter_opens_no_subscription_and_a_control_character_is_told_with_its_line() {
        Result empty = azure.apply(TOPIC.replace("'amount > 100'", "''"));
        assertThat(empty.exitCode()).as(empty.out() + empty.err()).isEqualTo(2);
        assertThat(empty.err()).contains("rule.big is empty");

        Result odd = azure.apply(TOPIC.replace("'amount > 100'", "\"a = 1\\r\\nand b = 2\""));
        assertThat(odd.exitCode()).as(odd.out() + odd.err()).isEqualTo(2);
        assertThat(odd.err()).contains("control character");
    }

    @Test
    void a_filter_is_one_argument_of_the_command_that_is_printed_for_a_shell() throws Exception {
        String filter = "\"my-prop\" = '$(echo shot) `echo shot` it''s'";
        azure.portal.createTopic("events");
        azure.portal.createSubscription("events", "fraud");
        Result plan = azure.program(TOPIC.replace("'amount > 100'", '"' + filter.replace("\"", "\\\"") + '"'))
                .run("topology", "plan");
        String command = plan.out()
                .lines()
                .filter(line -> line.contains("--filter-sql-expression"))
                .findFirst()
                .orElseThrow();

        Process shell = new ProcessBuilder(
                        "/bin/sh", "-c", "az() { for last; do :; done; printf %s \"$last\"; }; " + command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();

        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .endsWith(filter);
    }
}
