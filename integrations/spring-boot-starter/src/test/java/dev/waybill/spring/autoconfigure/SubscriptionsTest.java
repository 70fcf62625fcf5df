package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.TestService;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers of a topic's subscriptions, with sessions and without, and the mistakes that the start names. */
@ExtendWith(TestService.Extension.class)
class SubscriptionsTest {
    private TestService service;
    private String topic;

    @BeforeEach
    void take_a_topic(TestService service) {
        this.service = service;
        topic = service.newQueue() + "-topic";
        service.bus()
                .createTopic(
                        topic,
                        settings -> settings.subscription("plain")
                                .subscription("ordered", ordered -> ordered.requiresSession()));
    }

    private Apps app() {
        return Apps.on(service).with("topic", topic);
    }

    private Apps plain() {
        return app().with("waybill.consumers.plain.topic", topic).with("waybill.consumers.plain.subscription", "plain");
    }

    private Apps both() {
        return plain().and(Handlers.class)
                .with("waybill.consumers.ordered.topic", topic)
                .with("waybill.consumers.ordered.subscription", "ordered")
                .with("waybill.consumers.ordered.sessions", "true")
                .with("spring.datasource.hikari.maximum-pool-size", "12");
    }

    @Test
    void each_subscription_has_its_handlers_with_sessions_and_without() {
        try (var context = both().run();
                var sender = service.client().sender().topicName(topic).buildClient()) {
            for (int i = 0; i < 3; i++) {
                sender.sendMessage(
                        new ServiceBusMessage("m" + i).setMessageId("m" + i).setSessionId("s"));
            }

            service.awaitSettled(topic + "/Subscriptions/plain", 3);
            service.awaitSettled(topic + "/Subscriptions/ordered", 3);
            assertThat(context.getBean(Handlers.class).plain).containsExactlyInAnyOrder("m0", "m1", "m2");
            assertThat(context.getBean(Handlers.class).ordered).containsExactly("m0", "m1", "m2");
        }
    }

    @Test
    void a_handler_of_a_whole_topic_is_told_of_the_subscriptions() {
        assertThatThrownBy(() ->
                        plain().and(Plain.class).and(OfTheTopic.class).run().close())
                .hasMessageContaining("OfTheTopic.handle handles messages of '" + topic + "'")
                .hasMessageContaining("is a topic here; name one of its subscriptions, as '" + topic + "/plain'");
    }

    @Test
    void a_handler_with_the_path_that_azure_shows_is_told_the_name() {
        assertThatThrownBy(() ->
                        plain().and(Plain.class).and(OfThePath.class).run().close())
                .hasMessageContaining("OfThePath.handle handles messages of '" + topic + "/Subscriptions/plain'")
                .hasMessageContaining("write '" + topic + "/plain'");
    }

    @Test
    void a_consumer_of_an_empty_name_or_of_a_path_is_refused_with_its_property() {
        assertThatThrownBy(() -> app().with("waybill.consumers.c.topic", topic)
                        .with("waybill.consumers.c.subscription", " ")
                        .run()
                        .close())
                .hasStackTraceContaining("receives from a queue, or from a topic and a subscription");
        assertThatThrownBy(() -> app().with("waybill.consumers.c.queue", topic + "/Subscriptions/plain")
                        .run()
                        .close())
                .hasStackTraceContaining("is the path of a subscription; give topic and subscription instead");
    }

    /** The handlers of both subscriptions. */
    static class Handlers {
        final Queue<String> plain = new ConcurrentLinkedQueue<>();
        final Queue<String> ordered = new ConcurrentLinkedQueue<>();

        @InboxHandler(destination = "${topic}/plain")
        void plain(String body) {
            plain.add(body);
        }

        @InboxHandler(destination = "${topic}/ordered")
        void ordered(String body) {
            ordered.add(body);
        }
    }

    /** The handler of one. */
    static class Plain {
        @InboxHandler(destination = "${topic}/plain")
        void handle(String body) {}
    }

    static class OfTheTopic {
        @InboxHandler(destination = "${topic}")
        void handle(String body) {}
    }

    static class OfThePath {
        @InboxHandler(destination = "${topic}/Subscriptions/plain")
        void handle(String body) {}
    }
}
