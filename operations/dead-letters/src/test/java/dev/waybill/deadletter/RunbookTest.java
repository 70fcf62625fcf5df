package dev.waybill.deadletter;

import static dev.waybill.deadletter.collect.DeadLetterFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The steps of the runbooks, done: each kind of dead letter is made by the broker and brought back by the calls that stand there. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RunbookTest {
    private static final AuditContext WORD = new AuditContext("ada", "runbook");

    private DeadLetterFixture fixture;
    private DeadLetters letters;
    private Redrives redrives;
    private Relay relay;

    @BeforeEach
    void start(TestDatabase database) {
        fixture = new DeadLetterFixture(
                database,
                bus -> bus.queue("orders", queue -> queue.maxDeliveryCount(1))
                        .queue(
                                "short",
                                queue -> queue.timeToLive(Duration.ofMinutes(1)).deadLetterOnExpiration())
                        .queue("hop1", queue -> queue.forwardTo("hop2"))
                        .queue("hop2", queue -> queue.forwardTo("hop3"))
                        .queue("hop3", queue -> queue.forwardTo("hop4"))
                        .queue("hop4", queue -> queue.forwardTo("hop5"))
                        .queue("hop5", queue -> queue.forwardTo("hop6"))
                        .queue("hop6", queue -> queue)
                        .queue("lost", queue -> queue.forwardTo("nowhere"))
                        .topic(
                                "events",
                                topic -> topic.subscription("by-wallet", s -> s.requiresSession())
                                        .subscription("broken", s -> s.sqlRule("broken", "amount / 0 > 1"))));
        letters = DeadLetters.in(database.dataSource(), fixture.schema);
        redrives = Redrives.in(database.dataSource(), fixture.schema);
        relay = Relay.builder(database.dataSource())
                .schema(fixture.schema)
                .destination("orders")
                .destination("short")
                .destination("hop6")
                .destination("events")
                .publisher(ServiceBusPublisher.of(fixture::client))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        relay.close();
        fixture.close();
    }

    @Test
    @Tag("long")
    void max_delivery_count_exceeded() throws Exception {
        fixture.send("orders", message("m1", "body"));
        try (var receiver = fixture.client()
                .receiver()
                .queueName("orders")
                .disableAutoComplete()
                .buildClient()) {
            receiver.receiveMessages(1, Duration.ofSeconds(10)).forEach(receiver::abandon);
        }
        await().until(() -> fixture.deadLettersIn("orders") == 1);
        fixture.collect(fixture.deadLettersOf("orders"));

        var failed = DeadLetterFilter.open().reason("MaxDeliveryCountExceeded");
        assertThat(letters.groups(failed, DeadLetterGroup.By.ENTITY)).hasSize(1);
        assertThat(redrives.plan(failed, RedriveRequest.toSource()).isPossible())
                .isTrue();
        redrives.redrive(failed, RedriveRequest.toSource().withRate(50), WORD);

        await().until(() -> fixture.bus.inspect("orders").active() == 1);
    }

    @Test
    void ttl_expired_exception() throws Exception {
        fixture.send("short", message("m1", "body"), message("m2", "body"));
        fixture.bus.advance(Duration.ofMinutes(2));
        fixture.collect(fixture.deadLettersOf("short"));

        var expired = DeadLetterFilter.open().reason("TTLExpiredException");
        var relevant = expired.messageId("m1");
        redrives.redrive(relevant, RedriveRequest.toSource(), WORD);
        DeadLetterArchive.in(fixture.database.dataSource(), fixture.schema).archive(expired, Duration.ofDays(42), WORD);

        await().until(() -> fixture.bus.inspect("short").active() == 1);
        assertThat(letters.count(DeadLetterFilter.everything().in(DeadLetter.State.ARCHIVED)))
                .isEqualTo(1);
    }

    @Test
    void header_size_exceeded() throws Exception {
        var large = message("m1", "body");
        for (String trail : new String[] {"trail", "trail2", "trail3"}) {
            large.getApplicationProperties().put(trail, "x".repeat(25_000));
        }
        fixture.send("orders", large);
        fixture.collect(fixture.deadLettersOf("orders"));

        var letter = letters.list(DeadLetterFilter.open().reason("HeaderSizeExceeded"), 0, 1)
                .get(0);
        letters.edit(
                letter.id(),
                content -> {
                    var properties = new LinkedHashMap<>(content.properties());
                    properties.remove("trail");
                    return content.withProperties(properties);
                },
                WORD);
        redrives.redrive(DeadLetterFilter.id(letter.id()), RedriveRequest.toSource(), WORD);

        await().until(() -> fixture.bus.inspect("orders").active() == 1);
    }

    @Test
    void session_id_is_null() throws Exception {
        fixture.send("events", new ServiceBusMessage("body").setMessageId("m1"));
        fixture.collect(fixture.deadLettersOf("events", "by-wallet"));

        var letter = letters.list(DeadLetterFilter.open().entity("events/Subscriptions/by-wallet"), 0, 1)
                .get(0);
        assertThat(letter.death().reason()).contains("Session ID is null");
        letters.edit(letter.id(), content -> content.toBuilder().sessionId("w1").build(), WORD);
        redrives.redrive(DeadLetterFilter.id(letter.id()), RedriveRequest.toSource(), WORD);

        await().until(() ->
                fixture.bus.inspect("events/Subscriptions/by-wallet").active() == 1);
    }

    @Test
    void max_transfer_hop_count_exceeded() throws Exception {
        fixture.send("hop1", message("m1", "body"));
        fixture.collect(fixture.deadLettersOf("hop5"));

        var looping = DeadLetterFilter.open().reason("MaxTransferHopCountExceeded");
        redrives.redrive(looping, RedriveRequest.toEntity("hop6"), WORD);

        await().until(() -> fixture.bus.inspect("hop6").active() == 1);
    }

    @Test
    void filter_evaluation_error() throws Exception {
        var message = message("m1", "body");
        message.getApplicationProperties().put("amount", 1);
        fixture.send("events", message);
        fixture.collect(fixture.deadLettersOf("events", "broken"));

        var letter = letters.list(DeadLetterFilter.open().entity("events/Subscriptions/broken"), 0, 1)
                .get(0);
        assertThat(letter.death().reason()).contains("Filter");
        try (var rules = fixture.client()
                .ruleManager()
                .topicName("events")
                .subscriptionName("broken")
                .buildClient()) {
            rules.deleteRule("broken");
            rules.createRule("all", new CreateRuleOptions(new TrueRuleFilter()));
        }
        redrives.redrive(DeadLetterFilter.id(letter.id()), RedriveRequest.toSource(), WORD);

        await().until(() -> fixture.bus.inspect("events/Subscriptions/broken").active() == 1);
    }

    @Test
    void what_could_not_be_passed_on() throws Exception {
        fixture.send("lost", message("m1", "body"));
        fixture.collect(fixture.opened(
                ServiceBusDeadLetters.ofQueue(fixture::client, "lost").transfers()));

        redrives.redrive(DeadLetterFilter.open().transfers(true), RedriveRequest.toEntity("orders"), WORD);

        await().until(() -> fixture.bus.inspect("orders").active() == 1);
        assertThat(letters.list(DeadLetterFilter.everything(), 0, 10))
                .extracting(letter -> letter.origin().entity().toString())
                .isEqualTo(List.of("lost/$Transfer/$DeadLetterQueue"));
    }
}
