package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.MessageSource;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.security.AccessRight;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A link that the broker refuses for a reason that time does not heal is a failed turn, told once, and unhealthy. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RefusedReceiversTest {
    private static final int WORKERS = 3;

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(database, RefusedReceiversTest::entities);
        log.start();
        logger.addAppender(log);
    }

    private static EmbeddedServiceBusBuilder entities(EmbeddedServiceBusBuilder broker) {
        return broker.queue("plain")
                .queue("ordered", queue -> queue.requiresSession())
                .queue("disabled", queue -> queue.status(EntityStatus.RECEIVE_DISABLED))
                .queue("forwarding", queue -> queue.forwardTo("plain"))
                .queue("foreign")
                .topic("events", topic -> topic.subscription("all").subscription("onward", s -> s.forwardTo("plain")))
                .accessKey("all", "YWxs")
                .accessKey("sends-only", "aW4=", AccessRight.SEND);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        it.close();
    }

    private ServiceBusClientBuilder sendsOnly() {
        return new ServiceBusClientBuilder().connectionString(it.bus.connectionString("sends-only"));
    }

    private ServiceBusClientBuilder ofAnotherEntity() {
        return new ServiceBusClientBuilder().connectionString(it.bus.connectionString() + "EntityPath=another");
    }

    /** The source, and words of the broker that its log line must have. */
    private record Refused(MessageSource source, String words) {}

    private Map<String, Refused> refused() {
        Map<String, Refused> all = new LinkedHashMap<>();
        all.put("plain-on-ordered", new Refused(it.messages("ordered"), "requires sessions"));
        all.put("sessions-on-plain", new Refused(it.sessions("plain"), "does not require sessions"));
        all.put("queue-on-topic", new Refused(it.messages("events"), "events"));
        all.put("sessions-on-topic", new Refused(it.sessions("events"), "events"));
        all.put("unknown-queue", new Refused(it.messages("nowhere"), "could not be found"));
        all.put("unknown-with-sessions", new Refused(it.sessions("nowhere"), "could not be found"));
        all.put(
                "unknown-subscription",
                new Refused(ServiceBusSource.ofSubscription(it::client, "events", "none"), "could not be found"));
        all.put("disabled", new Refused(it.messages("disabled"), "disabled"));
        all.put("forwarding", new Refused(it.messages("forwarding"), "auto-forwarding"));
        all.put(
                "forwarding-subscription",
                new Refused(ServiceBusSource.ofSubscription(it::client, "events", "onward"), "auto-forwarding"));
        all.put("no-right", new Refused(ServiceBusSource.ofQueue(this::sendsOnly, "foreign"), "Listen"));
        all.put("entity-path", new Refused(ServiceBusSource.ofQueue(this::ofAnotherEntity, "plain"), "EntityPath"));
        all.put(
                "entity-path-with-sessions",
                new Refused(
                        ServiceBusSource.ofQueue(this::ofAnotherEntity, "ordered")
                                .withSessions(),
                        "EntityPath"));
        return all;
    }

    @Test
    void a_receiver_whose_link_time_does_not_heal_backs_off_is_told_once_and_is_unhealthy() {
        FaultHandle attaches = it.bus
                .faults()
                .at(FaultPoint.ATTACH)
                .operation("receive")
                .when(event -> !event.entity().startsWith("$"))
                .then(FaultAction.observe());
        Map<String, Refused> refused = refused();
        Map<String, InboxConsumer> consumers = new LinkedHashMap<>();
        refused.forEach((name, one) -> consumers.put(
                name,
                it.consume(
                        one.source(),
                        it::effect,
                        settings -> settings.name(name).concurrency(WORKERS))));

        consumers.forEach((name, consumer) -> await(name)
                .atMost(Duration.ofSeconds(60))
                .until(() -> !consumer.health().isHealthy()));

        consumers.forEach((name, consumer) -> {
            String words = Objects.requireNonNull(refused.get(name)).words();
            assertThat(consumer.health().receiveTrouble()).as(name).contains(words);
            assertThat(warnings(name)).as(name).singleElement().asString().contains(words);
        });
        // 10 s of doubling back-off allow each worker at most 6 attempts.
        assertThat(attaches.hits()).isBetween(10, refused.size() * WORKERS * 8);
        await().untilAsserted(() -> assertThat(alarms()).containsExactlyInAnyOrderElementsOf(refused.keySet()));
    }

    private List<String> warnings(String consumer) {
        return List.copyOf(log.list).stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("'" + consumer + "'") || line.contains("-" + consumer + "-"))
                .toList();
    }

    private List<String> alarms() {
        return it.dsl
                .fetch("select consumer from " + it.schema.table("inbox_alarm") + " where alarm = 'not-receiving'")
                .getValues(0, String.class);
    }

    @Test
    void an_entity_that_is_mended_is_received_again_and_the_alarm_ends() {
        InboxConsumer consumer = it.consume(it.messages("disabled"), it::effect);
        await().until(() -> consumer.health().receiveTrouble() != null);
        await().untilAsserted(() -> assertThat(alarms()).containsExactly("test"));

        it.bus.update("disabled", queue -> queue.status(EntityStatus.ACTIVE));
        it.send("disabled", "", "m1");

        it.awaitSettled("disabled", 1);
        assertThat(consumer.health().isHealthy()).isTrue();
        await().untilAsserted(() -> assertThat(alarms()).isEmpty());
        assertThat(it.effects()).containsExactly("m1");
    }

    /** The SDK connects anew for ever, and a turn that waits for it looks like one with a link. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("long")
    void a_broker_that_says_nothing_is_not_taken_for_one_that_answers_again(boolean sessions) throws Exception {
        String queue = sessions ? "ordered" : "plain";
        ServiceBusSource source = ServiceBusSource.ofQueue(it::client, queue);
        it.bus
                .faults()
                .at(FaultPoint.ATTACH)
                .entity(queue)
                .operation("receive")
                .then(FaultAction.reject(BrokerError.INTERNAL_ERROR));
        InboxConsumer consumer = it.consume(sessions ? source.withSessions() : source, it::effect);
        await().atMost(Duration.ofSeconds(60)).until(() -> consumer.health().receiveTrouble() != null);

        it.bus.suspend();
        it.bus.faults().clear();
        await().during(Duration.ofSeconds(50))
                .atMost(Duration.ofSeconds(55))
                .until(() -> consumer.health().receiveTrouble() != null);

        it.bus.resume();
        await().atMost(Duration.ofSeconds(90)).until(() -> consumer.health().isHealthy());
    }

    /** As a load balancer does that completes handshakes for a broker which is away. */
    @ParameterizedTest
    @Tag("long")
    @ValueSource(booleans = {false, true})
    void a_broker_that_accepts_connections_and_says_nothing_is_told_though_nothing_was_ever_received(boolean sessions)
            throws Exception {
        String queue = sessions ? "ordered" : "plain";
        it.bus.suspend();
        InboxConsumer consumer = it.consume(sessions ? it.sessions(queue) : it.messages(queue), it::effect);

        await().atMost(Duration.ofSeconds(90)).until(() -> consumer.health().receiveTrouble() != null);

        it.bus.resume();
        await().atMost(Duration.ofSeconds(90)).until(() -> consumer.health().isHealthy());
    }

    /** The question to the broker needs a connection, for which a credential or a proxy is asked first. */
    @Test
    @Tag("long")
    void a_credential_that_hangs_while_the_broker_is_asked_does_not_end_the_heartbeat() throws Exception {
        var hangs = new CountDownLatch(1);
        var hanging = new AtomicBoolean();
        ServiceBusSource source = ServiceBusSource.ofQueue(
                () -> {
                    if (hanging.get()) {
                        awaitUninterruptibly(hangs);
                    }
                    return it.client();
                },
                "plain");
        it.bus
                .faults()
                .at(FaultPoint.ATTACH)
                .entity("plain")
                .operation("receive")
                .then(FaultAction.reject(BrokerError.INTERNAL_ERROR));
        InboxConsumer consumer = it.consume(source, it::effect);
        await().atMost(Duration.ofSeconds(60)).until(() -> consumer.health().receiveTrouble() != null);
        await().untilAsserted(() -> assertThat(alarms()).containsExactly("test"));

        hanging.set(true);
        it.bus.suspend();
        it.bus.faults().clear();
        await().during(Duration.ofSeconds(60))
                .atMost(Duration.ofSeconds(65))
                .until(() -> alarms().equals(List.of("test")));

        hanging.set(false);
        hangs.countDown();
        it.bus.resume();
        await().atMost(Duration.ofSeconds(90)).until(() -> consumer.health().isHealthy());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void an_entity_that_refuses_while_messages_are_handled_loses_none_and_does_not_spin() throws Exception {
        it.send("plain", "", "m1");
        InboxConsumer consumer = it.consume(it.messages("plain"), it::effect, settings -> settings.concurrency(1));
        it.awaitSettled("plain", 1);
        FaultHandle refused = it.bus
                .faults()
                .at(FaultPoint.ATTACH)
                .entity("plain")
                .operation("receive")
                .times(3)
                .then(FaultAction.reject(BrokerError.INTERNAL_ERROR));

        it.bus.dropConnections();
        it.send("plain", "", "m2");

        assertThat(refused.awaitHits(3, Duration.ofSeconds(30))).isTrue();
        it.awaitSettled("plain", 2);
        assertThat(it.effects()).containsExactly("m1", "m2");
        assertThat(warnings("test")).hasSizeBetween(1, 2);
        assertThat(consumer.health().isHealthy()).isTrue();
        assertThat(it.dsl.fetchCount(DSL.table(it.schema.table("inbox_message"))))
                .isEqualTo(2);
    }
}
