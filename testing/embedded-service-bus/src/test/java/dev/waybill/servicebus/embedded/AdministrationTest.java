package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import dev.waybill.servicebus.embedded.config.Tier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdministrationTest extends NamespaceCase {
    private ServiceBusAdministrationClient admin;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.maxDeliveryCount(7))
                .topic("events", t -> t.subscription("all"));
    }

    @BeforeEach
    void connect() {
        admin = bus.administration();
    }

    @Test
    void a_queue_is_created_with_all_its_settings_and_read_back() {
        CreateQueueOptions wanted = new CreateQueueOptions()
                .setLockDuration(Duration.ofSeconds(45))
                .setMaxDeliveryCount(5)
                .setSessionRequired(true)
                .setDuplicateDetectionRequired(true)
                .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(3))
                .setDefaultMessageTimeToLive(Duration.ofHours(2))
                .setDeadLetteringOnMessageExpiration(true)
                .setMaxSizeInMegabytes(2048)
                .setUserMetadata("<note & more>");
        admin.createQueue(bus.name("made"), wanted);
        QueueProperties made = admin.getQueue(bus.name("made"));
        assertThat(made.getName()).isEqualTo(bus.name("made"));
        assertThat(made.getLockDuration()).isEqualTo(Duration.ofSeconds(45));
        assertThat(made.getMaxDeliveryCount()).isEqualTo(5);
        assertThat(made.isSessionRequired()).isTrue();
        assertThat(made.isDuplicateDetectionRequired()).isTrue();
        assertThat(made.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(3));
        assertThat(made.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofHours(2));
        assertThat(made.isDeadLetteringOnMessageExpiration()).isTrue();
        assertThat(made.getMaxSizeInMegabytes()).isEqualTo(2048);
        assertThat(made.getUserMetadata()).isEqualTo("<note & more>");
        assertThat(made.getMaxMessageSizeInKilobytes()).isEqualTo(256);
        assertThat(made.getStatus()).isEqualTo(EntityStatus.ACTIVE);
    }

    @Test
    void a_queue_created_by_a_client_works_at_once() {
        admin.createQueue(bus.name("made"));
        clients.sender("made").sendMessage(Clients.message("m1"));
        assertThat(Clients.receiveOne(clients.receiver("made")).getMessageId()).isEqualTo("m1");
    }

    @Test
    void an_entity_that_is_not_there_is_not_found() {
        assertThat(admin.getQueueExists(bus.name("missing"))).isFalse();
        assertThat(admin.getTopicExists(bus.name("missing"))).isFalse();
        assertThat(admin.getSubscriptionExists(bus.name("events"), "missing")).isFalse();
        assertThatThrownBy(() -> admin.getQueue(bus.name("missing"))).isInstanceOf(ResourceNotFoundException.class);
        assertThatThrownBy(() -> admin.getTopic(bus.name("missing"))).isInstanceOf(ResourceNotFoundException.class);
        assertThatThrownBy(() -> admin.deleteQueue(bus.name("missing"))).isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void a_name_that_is_taken_is_a_conflict() {
        assertThatThrownBy(() -> admin.createQueue(bus.name("ORDERS"))).isInstanceOf(ResourceExistsException.class);
        assertThatThrownBy(() -> admin.createTopic(bus.name("orders"))).isInstanceOf(ResourceExistsException.class);
        assertThatThrownBy(() -> admin.createSubscription(bus.name("events"), "all"))
                .isInstanceOf(ResourceExistsException.class);
    }

    @Test
    void a_queue_is_changed_while_it_runs() {
        QueueProperties queue = admin.getQueue(bus.name("orders"));
        assertThat(queue.getMaxDeliveryCount()).isEqualTo(7);
        queue.setMaxDeliveryCount(1);
        admin.updateQueue(queue);
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.abandon(Clients.receiveOne(receiver));
        assertThat(bus.inspect("orders").deadLetters()).isEqualTo(1);
    }

    @Test
    void what_is_fixed_at_creation_cannot_be_changed_over_http() throws Exception {
        String body = "<entry xmlns='http://www.w3.org/2005/Atom'><content type='application/xml'><QueueDescription"
                + " xmlns='http://schemas.microsoft.com/netservices/2010/10/servicebus/connect'>"
                + "<RequiresSession>true</RequiresSession></QueueDescription></content></entry>";
        HttpResponse<String> response = http("PUT", "/orders", body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("RequiresSession");
    }

    private HttpResponse<String> http(String method, String path, String body) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + bus.administrationPort() + path))
                                .header("If-Match", "*")
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_body_that_is_no_xml_is_a_bad_request() throws Exception {
        assertThat(http("PUT", "/new", "<entry").statusCode()).isEqualTo(400);
        assertThat(http("PUT", "/new", "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>")
                        .statusCode())
                .isEqualTo(400);
        assertThat(http("PUT", "/new", "<a/>").statusCode()).isEqualTo(400);
    }

    @Test
    void a_deleted_queue_is_gone_for_its_clients() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        clients.sender("orders").sendMessage(Clients.message("m1"));
        Clients.receiveOne(receiver);
        admin.deleteQueue(bus.name("orders"));
        assertThat(admin.getQueueExists(bus.name("orders"))).isFalse();
        assertThatThrownBy(() -> clients.sender("orders").sendMessage(Clients.message("m2")))
                .isInstanceOf(Exception.class);
    }

    @Test
    void a_sender_that_is_still_attached_learns_that_its_queue_is_gone() {
        var sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        admin.deleteQueue(bus.name("orders"));

        // A send that meets the link while the SDK disposes of it fails for that, and the next one asks anew.
        await().untilAsserted(() -> assertThatThrownBy(() -> sender.sendMessage(Clients.message("m2")))
                .hasMessageContaining("could not be found"));
    }

    @Test
    void runtime_counts_are_exact() {
        clients.sender("orders")
                .sendMessages(List.of(Clients.message("a"), Clients.message("b"), Clients.message("c")));
        clients.sender("orders")
                .scheduleMessage(
                        Clients.message("d"), OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.deadLetter(Clients.receiveOne(receiver));
        QueueRuntimeProperties counts = admin.getQueueRuntimeProperties(bus.name("orders"));
        assertThat(counts.getActiveMessageCount()).isEqualTo(2);
        assertThat(counts.getDeadLetterMessageCount()).isEqualTo(1);
        assertThat(counts.getScheduledMessageCount()).isEqualTo(1);
        assertThat(counts.getTotalMessageCount()).isEqualTo(4);
        assertThat(counts.getSizeInBytes()).isPositive();
    }

    @Test
    void queues_are_listed_across_pages() {
        for (int i = 0; i < 120; i++) {
            bus.createQueue("q" + i, q -> q);
        }
        assertThat(admin.listQueues().stream()).hasSize(121);
    }

    @Test
    void topics_are_created_changed_listed_and_deleted() {
        String events = bus.name("events");
        admin.createTopic(
                bus.name("made"),
                new CreateTopicOptions().setDuplicateDetectionRequired(true).setUserMetadata("x"));
        TopicProperties topic = admin.getTopic(bus.name("made"));
        assertThat(topic.isDuplicateDetectionRequired()).isTrue();
        topic.setDefaultMessageTimeToLive(Duration.ofHours(1));
        assertThat(admin.updateTopic(topic).getDefaultMessageTimeToLive()).isEqualTo(Duration.ofHours(1));
        assertThat(admin.listTopics().stream())
                .extracting(TopicProperties::getName)
                .containsSubsequence(events, bus.name("made"));
        admin.deleteTopic(bus.name("made"));
        assertThat(admin.getTopicExists(bus.name("made"))).isFalse();
    }

    @Test
    void a_topic_counts_its_subscriptions() {
        assertThat(admin.getTopicRuntimeProperties(bus.name("events")).getSubscriptionCount())
                .isEqualTo(1);
    }

    @Test
    void subscriptions_are_created_changed_listed_and_deleted() {
        admin.createSubscription(
                bus.name("events"),
                "made",
                new CreateSubscriptionOptions()
                        .setSessionRequired(true)
                        .setMaxDeliveryCount(3)
                        .setEnableDeadLetteringOnFilterEvaluationExceptions(false));
        SubscriptionProperties made = admin.getSubscription(bus.name("events"), "made");
        assertThat(made.getSubscriptionName()).isEqualTo("made");
        assertThat(made.getTopicName()).isEqualTo(bus.name("events"));
        assertThat(made.isSessionRequired()).isTrue();
        assertThat(made.isDeadLetteringOnFilterEvaluationExceptions()).isFalse();
        made.setMaxDeliveryCount(4);
        assertThat(admin.updateSubscription(made).getMaxDeliveryCount()).isEqualTo(4);
        assertThat(admin.listSubscriptions(bus.name("events")).stream())
                .extracting(SubscriptionProperties::getSubscriptionName)
                .containsExactly("all", "made");
        admin.deleteSubscription(bus.name("events"), "made");
        assertThat(admin.getSubscriptionExists(bus.name("events"), "made")).isFalse();
    }

    @Test
    void a_subscription_is_created_with_a_rule_of_its_own() {
        admin.createSubscription(
                bus.name("events"),
                "few",
                "big",
                new CreateSubscriptionOptions(),
                new CreateRuleOptions(new SqlRuleFilter("amount > 10")));
        assertThat(admin.listRules(bus.name("events"), "few").stream())
                .extracting(RuleProperties::getName)
                .containsExactly("big");
    }

    @Test
    void subscription_counts_are_exact() {
        clients.topicSender("events").sendMessages(List.of(Clients.message("a"), Clients.message("b")));
        SubscriptionRuntimeProperties counts = admin.getSubscriptionRuntimeProperties(bus.name("events"), "all");
        assertThat(counts.getActiveMessageCount()).isEqualTo(2);
        assertThat(counts.getTotalMessageCount()).isEqualTo(2);
    }

    @Test
    void every_kind_of_rule_is_created_and_read_back() {
        CorrelationRuleFilter correlation =
                new CorrelationRuleFilter().setCorrelationId("c").setLabel("l");
        correlation.getProperties().put("region", "eu");
        admin.createRule(
                bus.name("events"),
                "sql",
                "all",
                rule(new SqlRuleFilter("a < 1 AND b = 'x'")).setAction(new SqlRuleAction("SET c = 1")));
        admin.createRule(bus.name("events"), "correlation", "all", rule(correlation));
        admin.createRule(bus.name("events"), "true", "all", rule(new TrueRuleFilter()));
        admin.createRule(bus.name("events"), "false", "all", rule(new FalseRuleFilter()));
        RuleProperties sql = admin.getRule(bus.name("events"), "all", "sql");
        assertThat(((SqlRuleFilter) sql.getFilter()).getSqlExpression()).isEqualTo("a < 1 AND b = 'x'");
        assertThat(((SqlRuleAction) sql.getAction()).getSqlExpression()).isEqualTo("SET c = 1");
        CorrelationRuleFilter read = (CorrelationRuleFilter)
                admin.getRule(bus.name("events"), "all", "correlation").getFilter();
        assertThat(read.getCorrelationId()).isEqualTo("c");
        assertThat(read.getProperties()).containsEntry("region", "eu");
        assertThat(admin.getRule(bus.name("events"), "all", "true").getFilter()).isInstanceOf(TrueRuleFilter.class);
        assertThat(admin.getRule(bus.name("events"), "all", "false").getFilter())
                .isInstanceOf(FalseRuleFilter.class);
        assertThat(admin.listRules(bus.name("events"), "all").stream()).hasSize(5);
    }

    private static CreateRuleOptions rule(com.azure.messaging.servicebus.administration.models.RuleFilter filter) {
        return new CreateRuleOptions(filter);
    }

    @Test
    void a_rule_is_changed_and_deleted() {
        RuleProperties rule = admin.getRule(bus.name("events"), "all", "$Default");
        rule.setFilter(new SqlRuleFilter("amount > 100"));
        admin.updateRule(bus.name("events"), "all", rule);
        clients.topicSender("events").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("events/Subscriptions/all").active()).isZero();
        admin.deleteRule(bus.name("events"), "all", "$Default");
        assertThat(admin.listRules(bus.name("events"), "all").stream()).isEmpty();
    }

    @Test
    void a_rule_with_a_mistake_is_a_bad_request() {
        assertThatThrownBy(
                        () -> admin.createRule(bus.name("events"), "bad", "all", rule(new SqlRuleFilter("amount >"))))
                .isInstanceOfSatisfying(
                        HttpResponseException.class,
                        e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(400));
    }

    @Test
    void a_disabled_queue_takes_nothing_until_it_is_enabled() {
        QueueProperties queue = admin.getQueue(bus.name("orders"));
        queue.setStatus(EntityStatus.DISABLED);
        admin.updateQueue(queue);
        assertThatThrownBy(() -> clients.sender("orders").sendMessage(Clients.message("m1")))
                .isInstanceOf(Exception.class);
        queue.setStatus(EntityStatus.ACTIVE);
        admin.updateQueue(queue);
        clients.sender("orders").sendMessage(Clients.message("m2"));
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
    }

    @Test
    void forwarding_is_set_by_a_client() {
        QueueProperties in =
                admin.createQueue(bus.name("in"), new CreateQueueOptions().setForwardTo(bus.name("orders")));
        clients.sender("in").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
        assertThat(in.getForwardTo()).startsWith("https://").endsWith("/" + bus.name("orders"));
        assertThat(admin.getQueue(bus.name("in")).getForwardTo()).isEqualTo(in.getForwardTo());
    }

    @Test
    void forwarding_to_where_it_cannot_is_a_bad_request() {
        badRequest(
                () -> admin.createQueue(bus.name("in"), new CreateQueueOptions().setForwardTo(bus.name("missing"))),
                "40400");
        badRequest(
                () -> admin.createQueue(bus.name("in"), new CreateQueueOptions().setForwardTo(bus.name("in"))),
                "itself");
        badRequest(
                () -> admin.createQueue(
                        bus.name("in"),
                        new CreateQueueOptions().setSessionRequired(true).setForwardTo(bus.name("orders"))),
                "sessions");
        badRequest(
                () -> admin.createSubscription(
                        bus.name("events"),
                        "in",
                        new CreateSubscriptionOptions().setForwardDeadLetteredMessagesTo(bus.name("missing"))),
                "40400");
        QueueProperties orders = admin.getQueue(bus.name("orders")).setForwardTo(bus.name("missing"));
        badRequest(() -> admin.updateQueue(orders), "40400");
        assertThat(admin.getQueueExists(bus.name("in"))).isFalse();
        assertThat(admin.getSubscriptionExists(bus.name("events"), "in")).isFalse();
    }

    private static void badRequest(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        HttpResponseException.class,
                        e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(400));
    }

    @Test
    void the_largest_message_is_chosen_on_premium_only() {
        badRequest(
                () -> admin.createQueue(bus.name("big"), new CreateQueueOptions().setMaxMessageSizeInKilobytes(1024)),
                "256");
        try (EmbeddedServiceBus premium = EmbeddedServiceBus.builder()
                .tier(Tier.PREMIUM)
                .administrationPort(0)
                .start()) {
            ServiceBusAdministrationClient client = new ServiceBusAdministrationClientBuilder()
                    .connectionString(premium.connectionString())
                    .addPolicy(EmbeddedAdministrationPolicy.of(premium))
                    .buildClient();
            assertThat(client.createQueue("big", new CreateQueueOptions().setMaxMessageSizeInKilobytes(2048))
                            .getMaxMessageSizeInKilobytes())
                    .isEqualTo(2048);
        }
    }

    @Test
    void an_entity_was_accessed_when_it_was_used_and_not_before() {
        assertThat(admin.getQueueRuntimeProperties(bus.name("orders")).getAccessedAt())
                .isEqualTo(OffsetDateTime.parse("0001-01-01T00:00:00Z"));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(admin.getQueueRuntimeProperties(bus.name("orders")).getAccessedAt())
                .isAfter(OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(5));
    }

    @Test
    void the_namespace_describes_itself() {
        bus.embedded("reads the name of the embedded broker's namespace");
        assertThat(admin.getNamespaceProperties().getName()).isEqualTo("embedded");
    }
}
