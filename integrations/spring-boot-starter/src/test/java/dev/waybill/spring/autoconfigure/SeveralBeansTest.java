package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.TestService;
import io.opentelemetry.api.OpenTelemetry;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Beans of which a service may have several, and Waybill needs none or one. */
@ExtendWith(TestService.Extension.class)
class SeveralBeansTest {
    private TestService service;
    private String queue;

    @BeforeEach
    void take(TestService service) {
        this.service = service;
        queue = service.newQueue();
    }

    private Apps app() {
        return Apps.on(service).with("queue", queue).consuming(queue);
    }

    @Test
    void a_service_with_two_mappers_and_no_handler_of_json_starts() {
        try (var context = app().and(TwoMappers.class).and(OfText.class).run()) {
            service.send(queue, "m1", "a");
            service.awaitSettled(queue, 1);
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void with_one_the_start_is_refused_and_the_choice_is_named() {
        Apps app = app().and(TwoMappers.class).and(OfJson.class);
        assertThatThrownBy(() -> app.run().close())
                .hasStackTraceContaining(
                        "@InboxHandler OfJson.handle takes an object. There are several beans of type ObjectMapper,"
                                + " [first, second]; name the one for Waybill in waybill.object-mapper");
    }

    @Test
    void the_primary_one_reads() {
        try (var context =
                app().and(TwoMappers.class).and(Chosen.class).and(OfJson.class).run()) {
            service.send(queue, "m1", "{\"number\": \"n1\", \"unknown\": 1}");
            service.awaitSettled(queue, 1);
            assertThat(context.getBean(OfJson.class).last).isEqualTo("n1");
        }
    }

    /** Bodies that are to be encrypted would be sent as they are. */
    @Test
    void two_codecs_of_which_none_is_primary_do_not_switch_off_both() {
        Apps app = Apps.on(service).and(TwoCodecs.class);
        assertThatThrownBy(() -> app.run().close())
                .hasStackTraceContaining(
                        "several beans of type PayloadCodec, [one, two]; make the one for Waybill @Primary");
    }

    @Test
    void two_stores_of_which_none_is_primary_do_not_switch_off_both() {
        Apps app = Apps.on(service).and(TwoStores.class);
        assertThatThrownBy(() -> app.run().close())
                .hasStackTraceContaining("several beans of type ClaimStore, [archive, blobs]");
    }

    @Test
    void two_telemetries_leave_no_traces_and_a_warning() {
        try (var lines = Lines.of("dev.waybill.spring.instruments");
                var context = app().and(TwoTelemetries.class)
                        .and(OfText.class)
                        .builder()
                        .initializers(any -> lines.listen())
                        .run()) {
            assertThat(context.isActive()).isTrue();
            assertThat(lines.at(Level.WARN))
                    .anySatisfy(
                            line -> assertThat(line).contains("Messages are not traced", "OpenTelemetry", "@Primary"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoMappers {
        @Bean
        ObjectMapper first() {
            return new ObjectMapper();
        }

        @Bean
        ObjectMapper second() {
            return new ObjectMapper();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Chosen {
        @Bean
        @Primary
        ObjectMapper lenient() {
            return new ObjectMapper()
                    .disable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        }
    }

    static class OfText {
        @InboxHandler(destination = "${queue}")
        void handle(String body) {}
    }

    record Order(String number) {}

    static class OfJson {
        volatile String last = "";

        @InboxHandler(destination = "${queue}")
        void handle(Order order) {
            last = order.number();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoCodecs {
        @Bean
        PayloadCodec one() {
            return codec();
        }

        @Bean
        PayloadCodec two() {
            return codec();
        }

        private static PayloadCodec codec() {
            return idle(PayloadCodec.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoStores {
        @Bean
        ClaimStore archive() {
            return store();
        }

        @Bean
        ClaimStore blobs() {
            return store();
        }

        private static ClaimStore store() {
            return idle(ClaimStore.class);
        }
    }

    private static <T> T idle(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> method.getName().equals("hashCode") ? Integer.valueOf(1) : null));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoTelemetries {
        @Bean
        OpenTelemetry here() {
            return OpenTelemetry.noop();
        }

        @Bean
        OpenTelemetry there() {
            return OpenTelemetry.noop();
        }
    }
}
