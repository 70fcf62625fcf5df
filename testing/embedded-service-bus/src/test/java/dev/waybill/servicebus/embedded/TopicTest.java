package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.waybill.servicebus.embedded.filter.RuleFilter;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .topic(
                        "events",
                        t -> t.duplicateDetection(Duration.ofMinutes(10))
                                .subscription("all")
                                .subscription("big", s -> s.sqlRule("big", "amount > 100"))
                                .subscription("none", s -> s.rule("none", RuleFilter.none()))
                                .subscription(
                                        "marked",
                                        s -> s.sqlRule("mark", "1=1", "SET marked = 'yes'; SET sys.Label = 'edited'"))
                                .subscription("broken", s -> s.sqlRule("broken", "amount / 0 > 1"))
                                .subscription(
                                        "lenient",
                                        s -> s.sqlRule("broken", "amount / 0 > 1")
                                                .deadLetterOnFilterError(false))
                                .subscription("by-wallet", s -> s.requiresSession()))
                .topic(
                        "short",
                        t -> t.timeToLive(Duration.ofMinutes(1)).subscription("s", s -> s.deadLetterOnExpiration()));
    }

    private static CreateRuleOptions sql(String expression) {
        return new CreateRuleOptions(new SqlRuleFilter(expression));
    }

    private static ServiceBusMessage amount(String id, int amount) {
        ServiceBusMessage message = Clients.message(id);
        message.getApplicationProperties().put("amount", amount);
        return message;
    }

    @Test
    void every_subscription_gets_its_own_copy() {
        clients.topicSender("events").sendMessage(amount("m1", 500));
        ServiceBusReceiverClient all = clients.subscription("events", "all");
        all.complete(Clients.receiveOne(all));
        assertThat(Clients.receiveOne(clients.subscription("events", "big")).getMessageId())
                .isEqualTo("m1");
        assertThat(bus.inspect("events/Subscriptions/all").active()).isZero();
        assertThat(bus.inspect("events/subscriptions/BIG").active()).isEqualTo(1);
    }

    @Test
    void a_sql_filter_selects() {
        clients.topicSender("events").sendMessages(List.of(amount("m1", 50), amount("m2", 500)));
        assertThat(Clients.receiveOne(clients.subscription("events", "big")).getMessageId())
                .isEqualTo("m2");
        assertThat(bus.inspect("events/Subscriptions/big").active()).isEqualTo(1);
    }

    @Test
    void a_false_filter_selects_nothing() {
        clients.topicSender("events").sendMessage(amount("m1", 1));
        assertThat(bus.inspect("events/Subscriptions/none").active()).isZero();
    }

    @Test
    void an_action_changes_the_copy_of_its_subscription_only() {
        clients.topicSender("events").sendMessage(amount("m1", 1).setSubject("original"));
        ServiceBusReceivedMessage marked = Clients.receiveOne(clients.subscription("events", "marked"));
        assertThat(marked.getApplicationProperties())
                .containsEntry("marked", "yes")
                .containsEntry("amount", 1);
        assertThat(marked.getSubject()).isEqualTo("edited");
        assertThat(marked.getBody().toString()).isEqualTo("body of m1");
        ServiceBusReceivedMessage plain = Clients.receiveOne(clients.subscription("events", "all"));
        assertThat(plain.getApplicationProperties()).doesNotContainKey("marked");
        assertThat(plain.getSubject()).isEqualTo("original");
    }

    @Test
    void an_action_set_by_a_client_computes_and_removes_and_sees_what_it_set_before() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "all");
        rules.createRule(
                "edit",
                sql("amount > 0")
                        .setAction(
                                new SqlRuleAction(
                                        "SET twice = amount * 2; SET more = twice + 1; REMOVE amount; SET sys.CorrelationId = 'c'")));
        rules.deleteRule("$Default");
        clients.topicSender("events").sendMessage(amount("m1", 20));

        ServiceBusReceivedMessage edited = Clients.receiveOne(clients.subscription("events", "all"));
        assertThat(edited.getApplicationProperties()).doesNotContainKey("amount");
        assertThat(edited.getApplicationProperties())
                .extracting("twice", "more")
                .extracting(value -> ((Number) value).longValue())
                .containsExactly(40L, 41L);
        assertThat(edited.getCorrelationId()).isEqualTo("c");
    }

    @Test
    void an_action_with_a_mistake_is_refused_and_changes_no_rule() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "all");
        assertThatThrownBy(() -> rules.createRule("bad", sql("1=1").setAction(new SqlRuleAction("SET amount"))))
                .isInstanceOf(Exception.class);
        assertThat(rules.listRules().stream()).hasSize(1);
    }

    @Test
    void a_filter_that_fails_makes_a_dead_letter() {
        clients.topicSender("events").sendMessage(amount("m1", 1));
        ServiceBusReceivedMessage dead = Clients.receiveOne(clients.subscriptionDeadLetters("events", "broken"));
        assertThat(dead.getMessageId()).isEqualTo("m1");
        assertThat(dead.getDeadLetterReason()).contains("Filter");
        assertThat(bus.inspect("events/Subscriptions/lenient").deadLetters()).isZero();
    }

    @Test
    void a_message_without_session_becomes_a_dead_letter_of_a_subscription_with_sessions() {
        ServiceBusSenderClient sender = clients.topicSender("events");
        sender.sendMessage(amount("m1", 1));
        sender.sendMessage(amount("m2", 1).setSessionId("w1"));
        ServiceBusReceivedMessage dead = Clients.receiveOne(clients.subscriptionDeadLetters("events", "by-wallet"));
        assertThat(dead.getDeadLetterReason()).contains("Session ID is null");
        assertThat(bus.inspect("events/Subscriptions/by-wallet").sessions()).hasSize(1);
    }

    @Test
    void duplicates_are_detected_by_the_topic() {
        ServiceBusSenderClient sender = clients.topicSender("events");
        sender.sendMessage(amount("m1", 1));
        sender.sendMessage(amount("m1", 1));
        assertThat(bus.inspect("events/Subscriptions/all").active()).isEqualTo(1);
    }

    @Test
    void the_topics_time_to_live_bounds_its_copies() {
        clients.topicSender("short").sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofMinutes(1));
        assertThat(Clients.receiveOne(clients.subscriptionDeadLetters("short", "s"))
                        .getDeadLetterReason())
                .isEqualTo("TTLExpiredException");
    }

    @Test
    void a_message_scheduled_on_a_topic_reaches_subscriptions_when_due() {
        ServiceBusSenderClient sender = clients.topicSender("events");
        sender.scheduleMessage(
                amount("m1", 500), OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        assertThat(bus.inspect("events/Subscriptions/all").active()).isZero();
        bus.advance(Duration.ofHours(1));
        assertThat(bus.inspect("events/Subscriptions/all").active()).isEqualTo(1);
    }

    @Test
    void a_new_subscription_has_the_default_rule() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "all");
        List<RuleProperties> listed = rules.listRules().stream().toList();
        assertThat(listed).singleElement().satisfies(rule -> {
            assertThat(rule.getName()).isEqualTo("$Default");
            assertThat(rule.getFilter()).isInstanceOf(TrueRuleFilter.class);
        });
    }

    @Test
    void rules_are_created_listed_and_deleted() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "all");
        rules.createRule("sql", sql("a = 1").setAction(new SqlRuleAction("SET b = 2")));
        CorrelationRuleFilter correlation = new CorrelationRuleFilter().setLabel("x");
        correlation.getProperties().put("region", "eu");
        rules.createRule("correlation", new CreateRuleOptions(correlation));
        rules.deleteRule("$Default");
        List<RuleProperties> listed = rules.listRules().stream().toList();
        assertThat(listed).extracting(RuleProperties::getName).containsExactly("correlation", "sql");
        assertThat(((CorrelationRuleFilter) listed.get(0).getFilter()).getLabel())
                .isEqualTo("x");
        assertThat(((CorrelationRuleFilter) listed.get(0).getFilter()).getProperties())
                .containsEntry("region", "eu");
        assertThat(((SqlRuleFilter) listed.get(1).getFilter()).getSqlExpression())
                .isEqualTo("a = 1");
        assertThat(((SqlRuleAction) listed.get(1).getAction()).getSqlExpression())
                .isEqualTo("SET b = 2");
    }

    @Test
    void a_false_rule_created_by_a_client_comes_back_as_one() {
        List<RuleProperties> listed =
                clients.rules("events", "none").listRules().stream().toList();
        assertThat(listed)
                .singleElement()
                .satisfies(rule -> assertThat(rule.getFilter()).isInstanceOf(FalseRuleFilter.class));
    }

    @Test
    void a_rule_takes_effect_on_the_next_message() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "all");
        ServiceBusSenderClient sender = clients.topicSender("events");
        sender.sendMessage(amount("m1", 1));
        rules.createRule("few", sql("amount > 1000"));
        rules.deleteRule("$Default");
        sender.sendMessage(amount("m2", 1));
        assertThat(bus.inspect("events/Subscriptions/all").active()).isEqualTo(1);
    }

    @Test
    void two_rules_without_action_make_one_copy_and_each_action_makes_another() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "all");
        rules.createRule("also", sql("amount > 0"));
        rules.createRule("edit1", sql("amount > 0").setAction(new SqlRuleAction("SET e = 1")));
        rules.createRule("edit2", sql("amount > 0").setAction(new SqlRuleAction("SET e = 2")));
        clients.topicSender("events").sendMessage(amount("m1", 1));
        assertThat(bus.inspect("events/Subscriptions/all").active()).isEqualTo(3);
    }

    @Test
    void a_rule_that_exists_is_refused() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "big");
        assertThatThrownBy(() -> rules.createRule("BIG", sql("1=1")))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.ENTITY_ALREADY_EXISTS));
    }

    @Test
    void a_rule_with_a_mistake_is_refused() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "big");
        assertThatThrownBy(() -> rules.createRule("bad", sql("amount >"))).isInstanceOf(Exception.class);
        assertThat(rules.listRules().stream()).hasSize(1);
    }

    @Test
    void a_rule_that_is_not_there_cannot_be_deleted() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "big");
        assertThatThrownBy(() -> rules.deleteRule("missing"))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.NOT_FOUND));
    }

    @Test
    void filters_see_what_the_client_typed() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "none");
        rules.createRule("typed", sql("flag = TRUE AND text = 'x' AND big = 5000000000 AND d > 1.4"));
        ServiceBusMessage message = Clients.message("m1");
        message.getApplicationProperties().put("flag", true);
        message.getApplicationProperties().put("text", "x");
        message.getApplicationProperties().put("big", 5_000_000_000L);
        message.getApplicationProperties().put("d", 1.5);
        clients.topicSender("events").sendMessage(message);
        assertThat(bus.inspect("events/Subscriptions/none").active()).isEqualTo(1);
    }

    @Test
    void filters_see_system_properties() {
        ServiceBusRuleManagerClient rules = clients.rules("events", "none");
        rules.createRule(
                "system",
                sql("sys.Label = 'l' AND sys.MessageId LIKE 'm%' AND sys.CorrelationId = 'c' AND"
                        + " sys.To = 't' AND sys.ReplyTo = 'r' AND sys.ContentType = 'ct' AND sys.SessionId = 's'"));
        clients.topicSender("events")
                .sendMessage(Clients.message("m1", "s")
                        .setSubject("l")
                        .setCorrelationId("c")
                        .setTo("t")
                        .setReplyTo("r")
                        .setContentType("ct"));
        assertThat(bus.inspect("events/Subscriptions/none").active()).isEqualTo(1);
    }
}
