package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.outbox.WakeChannel;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.RelayCustomizer;
import dev.waybill.spring.TestService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ReflectionUtils;

/**
 * A service of Boot's from its append to the handler of another message, on a pool that is never in auto-commit.
 */
@ExtendWith(TestService.Extension.class)
class WholeWayTest {
    private TestService service;
    private String orders;
    private String invoices;

    @BeforeEach
    void take_queues(TestService service) {
        this.service = service;
        orders = service.newQueue();
        invoices = service.newQueue();
    }

    private Apps app() {
        return Apps.on(service)
                .and(Shop.class)
                .with("spring.datasource.hikari.auto-commit", "false")
                .with("spring.datasource.hikari.maximum-pool-size", "16")
                .with("spring.application.name", "shop")
                .with("orders", orders)
                .with("invoices", invoices)
                .with("waybill.destinations." + orders + ".sessions", "false")
                .with("waybill.destinations." + invoices + ".sessions", "false")
                .consuming(orders)
                .consuming(invoices);
    }

    @Test
    void an_append_is_published_and_handled_and_what_the_handler_does_happens_once() {
        try (var context = app().run()) {
            place(context, "first");

            service.awaitSettled(orders, 1);
            service.awaitSettled(invoices, 1);
            assertThat(service.bookings(orders)).containsExactly(orders + "-first");
            assertThat(service.bookings(invoices)).containsExactly(invoices + "-first");
            assertThat(context.getBean(Handlers.class).tries).hasValue(3);
            assertThat(service.bus().journal(orders).storedCount())
                    .as("sent once by a relay on a pool without auto-commit")
                    .isOne();
            var registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("waybill.outbox.publish")
                            .tags("destination", orders, "outcome", "accepted")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("waybill.inbox.settled")
                            .tags("consumer", orders, "outcome", "done")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("waybill.inbox.failures")
                            .tags("consumer", orders)
                            .counter()
                            .count())
                    .isEqualTo(2);
        }
    }

    @Test
    void the_relay_of_the_context_publishes_its_commits_and_nobody_else_is_notified() throws SQLException {
        try (var context = app().run();
                Connection listener = DriverManager.getConnection(service.jdbcUrl())) {
            String channel = WakeChannel.of(service.schema());
            listener.createStatement().execute("listen " + channel);
            var relay = context.getBean(RelayOfThisProcess.class);
            await().until(() -> relay.wake(orders) && relay.wake(invoices));

            place(context, "first");
            service.awaitSettled(orders, 1);
            service.awaitSettled(invoices, 1);

            listener.createStatement().execute("notify " + channel + ", 'end'");
            assertThat(listener.unwrap(PGConnection.class).getNotifications(10_000))
                    .extracting(PGNotification::getParameter)
                    .containsExactly("end");
        }
    }

    /** The database is away at first; it comes back when the context has been stopped and started again. */
    @Test
    void a_start_that_was_given_up_while_it_waited_does_not_take_the_place_of_the_relay_that_runs() throws Exception {
        try (var context = app().and(SlowSecondStart.class).run()) {
            var slow = context.getBean(SlowSecondStart.class);
            var lifecycle = context.getBean(RelayLifecycle.class);
            var relay = context.getBean(RelayOfThisProcess.class);
            assertThat(slow.begun.await(20, TimeUnit.SECONDS)).isTrue();
            lifecycle.stop();
            lifecycle.start();
            await().until(() -> relay.wake(orders));

            slow.goOn.countDown();
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("waybill-start-relay")));

            await().until(() -> relay.wake(orders));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SlowSecondStart {
        private final AtomicInteger starts = new AtomicInteger();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        @Bean
        RelayCustomizer slow() {
            return settings -> {
                int start = starts.incrementAndGet();
                if (start == 1) {
                    throw new DataAccessException("away", new SQLTransientConnectionException("away"));
                }
                if (start == 2) {
                    begun.countDown();
                    try {
                        assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
        }
    }

    @Test
    void one_codec_bean_encodes_what_is_appended_and_decodes_what_is_handled() {
        try (var context = app().and(Backwards.class)
                .with("waybill.destinations." + orders + ".retain", "1d")
                .run()) {
            place(context, "first");

            service.awaitSettled(orders, 1);
            service.awaitSettled(invoices, 1);
            assertThat(service.bookings(orders)).containsExactly(orders + "-first");
            assertThat(service.bookings(invoices)).containsExactly(invoices + "-first");
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForList(
                                    "select convert_from(payload, 'UTF8') from "
                                            + service.schema().table("outbox_published") + " where destination = ?",
                                    String.class,
                                    orders))
                    .containsExactly("tsrif");
        }
    }

    @Test
    void an_append_outside_a_transaction_is_refused_though_the_pool_is_never_in_auto_commit() {
        try (var context = app().with("waybill.relay.enabled", "false").run()) {
            Outbox outbox = context.getBean(Outbox.class);

            assertThatThrownBy(() -> outbox.append(
                            OutboxMessage.to(orders).id("m1").text("m1").build()))
                    .isInstanceOf(NoTransactionException.class);
            assertThat(service.appended(orders)).isZero();
        }
    }

    @Test
    @Tag("long")
    void a_context_that_is_stopped_and_started_builds_relay_and_consumers_anew() {
        try (var context = app().run()) {
            var health = context.getBean(WaybillHealth.class);
            assertThat(WaybillHealth.isUp(health.states())).isTrue();
            assertThat(indicated(context)).contains("UP", "relay=running");

            context.stop();
            assertThat(health.states())
                    .isEqualTo(Map.of(
                            "relay", "stopped", "consumer " + orders, "stopped", "consumer " + invoices, "stopped"));
            assertThat(indicated(context)).contains("DOWN", "relay=stopped");
            place(context, "while-stopped");
            assertThat(service.bus().journal(orders).storedCount()).isZero();

            context.start();
            await().atMost(Duration.ofSeconds(30)).until(() -> WaybillHealth.isUp(health.states()));
            service.awaitSettled(orders, 1);
            assertThat(service.bookings(orders)).containsExactly(orders + "-while-stopped");
        }
    }

    // Boot 3 and Boot 4 have indicators of different types.
    private static String indicated(ConfigurableApplicationContext context) {
        Object indicator = context.getBean("waybillHealthIndicator");
        Method health = Objects.requireNonNull(ReflectionUtils.findMethod(indicator.getClass(), "health"));
        ReflectionUtils.makeAccessible(health);
        return String.valueOf(ReflectionUtils.invokeMethod(health, indicator));
    }

    private static void place(ConfigurableApplicationContext context, String what) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> context.getBean(Ledger.class).place(what));
    }

    /** The service. */
    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Ledger ledger(JdbcTemplate jdbc, Outbox outbox, Environment environment) {
            return new Ledger(
                    jdbc,
                    outbox,
                    environment.getRequiredProperty("orders"),
                    environment.getRequiredProperty("invoices"));
        }

        @Bean
        Handlers handlers(Ledger ledger) {
            return new Handlers(ledger);
        }

        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }
    }

    /** Bodies travel backwards. */
    @Configuration(proxyBeanMethods = false)
    static class Backwards {
        @Bean
        PayloadCodec backwards() {
            return new PayloadCodec() {
                @Override
                public Encoded encode(OutboxMessage message) {
                    return new Encoded(reversed(message.body()), Map.of());
                }

                @Override
                public byte[] decode(Received message) {
                    return reversed(message.body());
                }
            };
        }

        private static byte[] reversed(byte[] body) {
            return new StringBuilder(new String(body, StandardCharsets.UTF_8))
                    .reverse()
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    /** A service as they are: it knows nothing of messages that come twice. */
    static class Ledger {
        private final JdbcTemplate jdbc;
        private final Outbox outbox;
        private final String orders;
        private final String invoices;

        Ledger(JdbcTemplate jdbc, Outbox outbox, String orders, String invoices) {
            this.jdbc = jdbc;
            this.outbox = outbox;
            this.orders = orders;
            this.invoices = invoices;
        }

        @Transactional
        public void place(String what) {
            outbox.append(
                    OutboxMessage.to(orders).id("order-" + what).text(what).build());
        }

        @Transactional
        public void book(String what) {
            jdbc.update("insert into booking (what) values (?)", orders + "-" + what);
            outbox.append(
                    OutboxMessage.to(invoices).id("invoice-" + what).text(what).build());
        }

        @Transactional
        public void invoice(String what) {
            jdbc.update("insert into booking (what) values (?)", invoices + "-" + what);
        }
    }

    /** Fails twice after the service has done its work. */
    static class Handlers {
        final AtomicInteger tries = new AtomicInteger();
        private final Ledger ledger;

        Handlers(Ledger ledger) {
            this.ledger = ledger;
        }

        @InboxHandler(destination = "${orders}")
        void ordered(String what) {
            ledger.book(what);
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
        }

        @InboxHandler(destination = "${invoices}")
        void invoiced(InboundMessage message, String what) {
            assertThat(message.id()).isEqualTo("invoice-" + what);
            ledger.invoice(what);
        }
    }
}
