package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.TestService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.support.TransactionTemplate;

/** Settings and annotations that mean something else than they seem to. */
@ExtendWith(TestService.Extension.class)
class HazardousSettingsTest {
    private TestService service;
    private String queue;

    @BeforeEach
    void take_a_queue(TestService service) {
        this.service = service;
        queue = service.newQueue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ~"})
    void a_destination_of_a_yaml_file_that_is_null_stops_the_start(String value, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("application.yml");
        Files.writeString(file, "waybill:\n  destinations:\n    " + queue + ":" + value + "\n");

        assertThatThrownBy(() -> Apps.on(service)
                        .with("spring.config.location", file.toUri())
                        .run()
                        .close())
                .hasStackTraceContaining("Settings stand below waybill.destinations." + queue);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"waybill", "waybill.relay", "waybill.destinations", "waybill.consumers", "waybill.servicebus"})
    void a_group_of_settings_without_settings_stops_the_start_and_says_what_to_do(String group, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("application.yml");
        Files.writeString(file, group.replace(".", ":\n  ") + ":\n");

        assertThatThrownBy(() -> Apps.on(service)
                        .with("spring.config.location", file.toUri())
                        .run()
                        .close())
                .hasStackTraceContaining("Settings stand below " + group + ", and it has no value of its own");
    }

    @ParameterizedTest
    @ValueSource(strings = {"waybill.destinations.orders.session", "waybill.shema", "waybill.servicebus.name"})
    @Tag("long")
    void a_setting_that_does_not_exist_stops_the_start_and_is_named(String misspelt, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("application.properties");
        Files.writeString(file, misspelt + "=true\n");

        assertThatThrownBy(() -> Apps.on(service)
                        .with("spring.config.location", file.toUri())
                        .run()
                        .close())
                .hasStackTraceContaining(misspelt);
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.servicebus, ;EntityPath=orders, EntityPath",
        "spring.cloud.azure.servicebus, ;EntityPath=orders, EntityPath",
        "spring.cloud.azure.servicebus, ; entitypath = orders;, entitypath",
        "spring.cloud.azure.servicebus, ;TransportType=AmqpWebSockets, TransportType",
        "waybill.servicebus, ;OperationTimeout=00:01:00, OperationTimeout",
        "spring.cloud.azure.servicebus, ;Runtime Port=1, Runtime Port",
        "waybill.servicebus, ;c2VjcmV0, part without '='"
    })
    void a_connection_string_that_the_client_library_refuses_stops_the_start_with_its_key(
            String properties, String addition, String word) {
        Apps app = Apps.on(service)
                .with("waybill.servicebus.connection-string", "")
                .with("waybill.destinations." + queue + ".sessions", "false")
                .with(properties + ".connection-string", service.bus().connectionString() + addition);

        assertThatThrownBy(() -> app.run().close())
                .rootCause()
                .hasMessageContaining(word)
                .message()
                .doesNotContain("c2VjcmV0");
    }

    /** Boot reads a bare number as milliseconds: messages would die, or be kept for an hour in place of a week. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "waybill.consumers.billing.lock-duration=60",
                "waybill.consumers.billing.handler-timeout=5",
                "waybill.destinations.orders.retain=7",
                "waybill.relay.send-deadline=30"
            })
    void a_time_without_a_unit_stops_the_start(String setting) {
        Apps app = Apps.on(service)
                .with("waybill.consumers.billing.queue", queue)
                .with("waybill.destinations.orders.sessions", "false")
                .with(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));

        assertThatThrownBy(() -> app.run().close())
                .rootCause()
                .hasMessageContaining("a number without a unit is milliseconds");
    }

    @ParameterizedTest
    @CsvSource({"true, true, 2", "true, false, 1", "false, true, 0"})
    void connections_that_the_relay_keeps_are_told_where_the_pool_looks_for_leaks(
            boolean relay, boolean listening, int kept) {
        try (var lines = Lines.of(PoolSize.class.getName());
                var context = Apps.on(service)
                        .with("waybill.destinations." + queue + ".sessions", "false")
                        .with("waybill.relay.enabled", relay)
                        .with("waybill.relay.listening", listening)
                        .with("spring.datasource.hikari.leak-detection-threshold", "2000")
                        .builder()
                        .initializers(any -> lines.listen())
                        .run()) {
            assertThat(context.isActive()).isTrue();
            assertThat(lines.at(Level.INFO))
                    .hasSize(relay ? 1 : 0)
                    .allSatisfy(line ->
                            assertThat(line).contains(kept + " of the relay's connections as leaks, once each"));
        }
    }

    @Test
    void a_destination_with_an_underscore_keeps_its_name() {
        try (var context = Apps.on(service)
                .with("waybill.destinations.orders_v2.sessions", "false")
                .with("waybill.relay.enabled", "false")
                .run()) {
            assertThat(context.getBean(WaybillProperties.class).destinations()).containsOnlyKeys("orders_v2");
        }
    }

    /** Both relays have the name of their process. */
    @Test
    @Tag("long")
    void two_contexts_in_one_process_publish_each_message_once_and_in_order() {
        Apps app = Apps.on(service).with("waybill.destinations." + queue + ".sessions", "false");
        try (var one = app.run();
                var other = app.run()) {
            var ids = new ArrayList<String>();
            for (int i = 0; i < 40; i++) {
                String id = "m" + i;
                var context = i % 2 == 0 ? one : other;
                context.getBean(TransactionTemplate.class)
                        .executeWithoutResult(status -> context.getBean(Outbox.class)
                                .append(OutboxMessage.to(queue)
                                        .id(id)
                                        .session("s")
                                        .text(id)
                                        .build()));
                ids.add(id);
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> service.bus().journal(queue).storedCount() >= 40);
            assertThat(service.bus().journal(queue).stored())
                    .extracting(stored -> stored.messageId())
                    .containsExactlyElementsOf(ids);
        }
    }

    @Test
    void two_consumers_of_one_queue_stop_the_start_and_are_named_unless_one_is_switched_off() {
        Apps app = Apps.on(service)
                .and(Books.class)
                .with("queue", queue)
                .with("waybill.consumers.a.queue", queue)
                .with("waybill.consumers.b.queue", queue.toUpperCase(java.util.Locale.ROOT));

        assertThatThrownBy(() -> app.run().close()).hasStackTraceContaining("Consumers 'a' and 'b' both receive '");
        app.with("waybill.consumers.b.enabled", "false").run().close();
    }

    @Test
    void consumers_start_although_beans_are_made_lazily() {
        try (var context = Apps.on(service)
                .and(Books.class)
                .with("queue", queue)
                .with("spring.main.lazy-initialization", "true")
                .consuming(queue)
                .run()) {
            assertThat(context.isActive()).isTrue();
            service.send(queue, "m1", queue);
            service.awaitSettled(queue, 1);
            assertThat(service.bookings(queue)).containsExactly(queue);
        }
    }

    /** Its proxy returns at once, and the message is done before it is handled. */
    @Test
    void a_handler_that_is_asynchronous_by_its_subclass_or_interface_is_refused() {
        for (Object bean : new Object[] {new OfAsyncClass(), new OfAsyncInterface(), new OfAsyncOverridden()}) {
            var beans = new DefaultListableBeanFactory();
            beans.registerSingleton("bean", bean);
            assertThatThrownBy(() -> HandlerMethods.in(beans, () -> {
                        throw new AssertionError("no body is read");
                    }))
                    .as(bean.getClass().getSimpleName())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("@Async");
        }
    }

    static class Plain {
        @InboxHandler(destination = "orders")
        public void handle(String body) {}
    }

    @Async
    static class OfAsyncClass extends Plain {}

    interface Asynchronous {
        @Async
        void handle(String body);
    }

    static class OfAsyncInterface implements Asynchronous {
        @Override
        @InboxHandler(destination = "orders")
        public void handle(String body) {}
    }

    static class AsyncBase {
        @Async
        public void handle(String body) {}
    }

    static class OfAsyncOverridden extends AsyncBase {
        @Override
        @InboxHandler(destination = "orders")
        public void handle(String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Books {
        @Bean
        Handlers handlers(JdbcTemplate jdbc) {
            return new Handlers(jdbc);
        }
    }

    static class Handlers {
        private final JdbcTemplate jdbc;

        Handlers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @InboxHandler(destination = "${queue}")
        void handle(String what) {
            jdbc.update("insert into booking (what) values (?)", what);
        }
    }
}
