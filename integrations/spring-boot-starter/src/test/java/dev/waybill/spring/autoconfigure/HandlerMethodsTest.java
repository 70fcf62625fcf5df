package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.bodies.ServiceMapper;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.scheduling.annotation.Async;

/** Methods that may be handlers, the arguments that they are given, and methods that are refused at the start. */
class HandlerMethodsTest {
    private static final BodyConverter JACKSON_2 = mapped(new com.fasterxml.jackson.databind.ObjectMapper());
    private static final BodyConverter JACKSON_3 = mapped(new tools.jackson.databind.ObjectMapper());

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @Test
    void a_body_is_text_bytes_or_an_object_of_json_by_either_jackson() throws Exception {
        for (BodyConverter json : List.of(JACKSON_2, JACKSON_3)) {
            var good = new Good();
            Handler handler = handlerOf(good, json);

            assertThat(handle(handler, "text", "hello")).isEqualTo(Verdict.done());
            assertThat(handle(handler, "bytes", "hello")).isEqualTo(Verdict.done());
            assertThat(handle(handler, "json", "{\"name\":\"a\",\"amount\":3}")).isEqualTo(Verdict.done());
            assertThat(handle(handler, "list", "[{\"name\":\"b\",\"amount\":4}]"))
                    .isEqualTo(Verdict.done());
            assertThat(handle(handler, "whatever", "rest")).isInstanceOf(Verdict.DeadLetter.class);
            assertThat(good.seen)
                    .containsExactly("text hello", "bytes 5", "json Payment[name=a, amount=3]", "list b", "rest rest");
        }
    }

    @Test
    void a_body_that_cannot_be_read_fails_without_a_retry_and_without_the_handler() throws Exception {
        for (BodyConverter json : List.of(JACKSON_2, JACKSON_3)) {
            var good = new Good();
            Handler handler = handlerOf(good, json);

            assertThat(handle(handler, "json", "{nothing")).isInstanceOf(Verdict.DeadLetter.class);
            assertThat(handle(handler, "json", "{\"name\":\"a\",\"amount\":1}\n{\"name\":\"b\",\"amount\":2}"))
                    .as("several facts in one body")
                    .isInstanceOf(Verdict.DeadLetter.class);
            assertThat(handle(handler, "json", "null"))
                    .isInstanceOfSatisfying(
                            Verdict.DeadLetter.class,
                            refused -> assertThat(refused.reason()).isEqualTo("EmptyBody"));
            assertThat(good.seen).isEmpty();
        }
    }

    @Test
    void an_exception_of_the_method_comes_out_as_it_is() {
        Handler handler = handlerOf(new Failing(), null);

        assertThatThrownBy(() -> handle(handler, "", "")).isExactlyInstanceOf(java.io.IOException.class);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReturnsText.class,
                ReturnsAFuture.class,
                TakesNothing.class,
                TakesTwoBodies.class,
                TakesTwoMessages.class,
                TakesANumber.class,
                IsStatic.class,
                IsAsynchronous.class,
                IsInAnAsynchronousClass.class,
                TakesJsonWithoutAMapper.class,
                TwoForTheSame.class
            })
    void what_cannot_be_a_handler_is_refused_with_its_name_and_the_reason(Class<?> type) throws Exception {
        Object bean = type.getDeclaredConstructor().newInstance();

        assertThatThrownBy(() -> handlerOf(bean, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("@InboxHandler " + type.getSimpleName() + ".handle");
    }

    /** It would run on the proxy, which has none of the bean's fields. */
    @Test
    void a_method_that_the_proxy_of_its_bean_does_not_reach_is_refused() throws Exception {
        assertThatThrownBy(() -> handlerOf(proxied(new IsFinal()), null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("IsFinal.handle is not reached through the proxy");

        var good = new Good();
        assertThat(handle(handlerOf(proxied(good), JACKSON_2), "text", "hello")).isEqualTo(Verdict.done());
        assertThat(good.seen).containsExactly("text hello");
    }

    private static Object proxied(Object bean) {
        var factory = new ProxyFactory(bean);
        factory.setProxyTargetClass(true);
        return factory.getProxy();
    }

    @Test
    void a_handler_of_what_nobody_receives_is_refused() {
        beans.registerSingleton("good", new Good());
        HandlerMethods methods = HandlerMethods.in(beans, () -> JACKSON_2);

        assertThatThrownBy(() -> methods.requireAmong(Set.of("invoices")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("handles messages of 'orders', which no consumer receives")
                .hasMessageContaining("[invoices]");
    }

    private Handler handlerOf(Object bean, @Nullable BodyConverter json) {
        var fresh = new DefaultListableBeanFactory();
        fresh.registerSingleton("bean", bean);
        return Objects.requireNonNull(
                HandlerMethods.in(fresh, () -> json == null ? ServiceMapper.in(fresh, null) : json)
                        .of("orders"));
    }

    private static BodyConverter mapped(Object mapper) {
        var beans = new DefaultListableBeanFactory();
        beans.registerSingleton("mapper", mapper);
        return ServiceMapper.in(beans, null);
    }

    private static Verdict handle(Handler handler, String subject, String body) throws Exception {
        return handler.handle(DSL.using(SQLDialect.POSTGRES), message(subject, body));
    }

    private static InboundMessage message(String subject, String body) {
        return (InboundMessage) Proxy.newProxyInstance(
                InboundMessage.class.getClassLoader(),
                new Class<?>[] {InboundMessage.class},
                (self, method, given) -> switch (method.getName()) {
                    case "subject" -> Optional.of(subject);
                    case "contentType" -> Optional.empty();
                    case "text" -> body;
                    case "body" -> body.getBytes(StandardCharsets.UTF_8);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    record Payment(String name, int amount) {}

    static class Good {
        final List<String> seen = new ArrayList<>();

        @InboxHandler(destination = "orders", subject = "text")
        void text(InboundMessage message, String body) {
            seen.add("text " + body);
        }

        @InboxHandler(destination = "orders", subject = "bytes")
        void bytes(byte[] body) {
            seen.add("bytes " + body.length);
        }

        @InboxHandler(destination = "orders", subject = "json")
        public void json(Payment payment, InboundMessage message) {
            seen.add("json " + payment);
        }

        @InboxHandler(destination = "orders", subject = "list")
        Verdict list(List<Payment> payments) {
            seen.add("list " + payments.get(0).name());
            return Verdict.done();
        }

        @InboxHandler(destination = "orders")
        Verdict rest(InboundMessage message) {
            seen.add("rest " + message.text());
            return Verdict.deadLetter("Unknown", "");
        }
    }

    static class Failing {
        @InboxHandler(destination = "orders")
        void handle(String body) throws java.io.IOException {
            throw new java.io.IOException("no");
        }
    }

    static class ReturnsText {
        @InboxHandler(destination = "orders")
        String handle(String body) {
            return body;
        }
    }

    static class ReturnsAFuture {
        @InboxHandler(destination = "orders")
        CompletableFuture<Void> handle(String body) {
            return new CompletableFuture<>();
        }
    }

    static class TakesNothing {
        @InboxHandler(destination = "orders")
        void handle() {}
    }

    static class TakesTwoBodies {
        @InboxHandler(destination = "orders")
        void handle(String one, byte[] other) {}
    }

    static class TakesTwoMessages {
        @InboxHandler(destination = "orders")
        void handle(InboundMessage one, InboundMessage other) {}
    }

    static class TakesANumber {
        @InboxHandler(destination = "orders")
        void handle(int body) {}
    }

    static class IsFinal {
        @InboxHandler(destination = "orders")
        final void handle(String body) {}
    }

    static class IsStatic {
        @InboxHandler(destination = "orders")
        static void handle(String body) {}
    }

    static class IsAsynchronous {
        @Async
        @InboxHandler(destination = "orders")
        void handle(String body) {}
    }

    @Async
    static class IsInAnAsynchronousClass {
        @InboxHandler(destination = "orders")
        void handle(String body) {}
    }

    static class TakesJsonWithoutAMapper {
        @InboxHandler(destination = "orders")
        void handle(Payment payment) {}
    }

    static class TwoForTheSame {
        @InboxHandler(destination = "orders", subject = "a")
        void handleOne(String body) {}

        @InboxHandler(destination = "orders", subject = "a")
        void handleOther(String body) {}
    }
}
