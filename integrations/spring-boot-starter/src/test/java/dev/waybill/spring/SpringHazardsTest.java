package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Commits that fail, and services that commit by themselves, at messages that come one by one and in batches. */
@ExtendWith(TestService.Extension.class)
class SpringHazardsTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(2));

    private final AtomicInteger tries = new AtomicInteger();
    private TestService service;
    private String queue;
    private JdbcTemplate jdbc;
    private PlatformTransactionManager manager;
    private @Nullable InboxConsumer consumer;

    @BeforeEach
    void take_a_queue(TestService service) {
        this.service = service;
        queue = service.newQueue() + "h";
        jdbc = new JdbcTemplate(service.pool());
        manager = new JdbcTransactionManager(service.pool());
    }

    @AfterEach
    void stop() {
        if (consumer != null) {
            consumer.close();
        }
    }

    /** The id of the duplicate is committed, by the transaction before: it says nothing of the others'. */
    @Test
    @Tag("long")
    void a_failed_commit_of_a_batch_that_begins_with_a_duplicate_loses_none_of_the_others() {
        service.bus().createQueue(queue, settings -> settings.requiresSession(true));
        sendInSession("m1");
        var failing = new AtomicBoolean();
        Handler handler = (tx, message) -> {
            save(message.id());
            if (failing.get()) {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        if (failing.getAndSet(false)) {
                            throw new IllegalStateException("the commit fails");
                        }
                    }
                });
            }
            return Verdict.done();
        };
        startSessions(handler);
        service.awaitSettled(queue, 1);
        Objects.requireNonNull(consumer).close();

        failing.set(true);
        sendInSession("m1", "m2", "m3");
        startSessions(handler);
        service.awaitSettled(queue, 4);

        assertThat(failing).isFalse();
        assertThat(booked()).containsExactly(queue + "-m1", queue + "-m2", queue + "-m3");
    }

    /** A manager for JDBC in a transaction of JPA's on the same connection commits it. */
    @Test
    void a_service_that_commits_by_another_manager_and_fails_later_is_no_duplicate_at_its_next_try() {
        service.bus().createQueue(queue, plain -> plain);
        withJpa(jpa -> {
            start(SpringTransactions.of(jpa, service.pool()), (tx, message) -> {
                in(manager, TransactionDefinition.PROPAGATION_REQUIRED, () -> save("first"));
                if (tries.incrementAndGet() == 1) {
                    throw new IllegalStateException("not yet");
                }
                save("second");
                return Verdict.done();
            });
            service.send(queue, "m1", "a");
            service.awaitSettled(queue, 1);
            assertThat(booked().contains(queue + "-second") || service.deadLetters(queue) == 1)
                    .as("done or a dead letter, booked " + booked() + ", tries " + tries)
                    .isTrue();
        });
    }

    @Test
    void work_outside_is_not_repeated_by_the_tries_of_a_handler_that_fails_after_it() {
        service.bus().createQueue(queue, plain -> plain);
        start(SpringTransactions.of(manager, service.pool()), (tx, message) -> {
            in(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> save("outside"));
            if (tries.incrementAndGet() < 4) {
                throw new IllegalStateException("not yet");
            }
            return Verdict.done();
        });
        service.send(queue, "m1", "a");
        service.awaitSettled(queue, 1);

        assertThat(booked()).containsExactly(queue + "-outside");
        assertThat(service.deadLetters(queue)).isOne();
    }

    @Test
    void a_lazy_connection_proxy_is_a_data_source_as_any_other() {
        service.bus().createQueue(queue, plain -> plain);
        var lazy = new LazyConnectionDataSourceProxy(service.pool());
        var its = new JdbcTransactionManager(lazy);
        var byLazy = new JdbcTemplate(lazy);
        start(SpringTransactions.of(its, lazy), (tx, message) -> {
            byLazy.update("insert into booking (what) values (?)", queue + "-a");
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return Verdict.done();
        });
        service.send(queue, "m1", "a");
        service.awaitSettled(queue, 1);

        assertThat(booked()).containsExactly(queue + "-a");
    }

    private void withJpa(Consumer<JpaTransactionManager> work) {
        var factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(service.pool());
        factory.setPackagesToScan("dev.waybill.spring");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.afterPropertiesSet();
        try {
            var jpa = new JpaTransactionManager(Objects.requireNonNull(factory.getObject()));
            jpa.afterPropertiesSet();
            work.accept(jpa);
        } finally {
            stop();
            consumer = null;
            factory.destroy();
        }
    }

    private static void in(PlatformTransactionManager by, int propagation, Runnable work) {
        var template = new TransactionTemplate(by);
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(status -> work.run());
    }

    private void save(String what) {
        jdbc.update("insert into booking (what) values (?)", queue + "-" + what);
    }

    private void start(TransactionBoundary boundary, Handler handler) {
        start(
                handler,
                settings -> settings.source(ServiceBusSource.ofQueue(service::client, queue))
                        .transactions(boundary));
    }

    private void startSessions(Handler handler) {
        start(
                handler,
                settings -> settings.source(
                                ServiceBusSource.ofQueue(service::client, queue).withSessions())
                        .transactions(SpringTransactions.of(manager, service.pool()))
                        .batch(10));
    }

    private void start(Handler handler, UnaryOperator<InboxConsumer.Builder> change) {
        consumer = change.apply(InboxConsumer.builder(service.pool())
                        .schema(service.schema())
                        .name(queue)
                        .handler(handler)
                        .concurrency(2)
                        .tuning(tuning -> tuning.drain(Duration.ofSeconds(2)))
                        .retries(BRIEFLY))
                .build()
                .start();
    }

    private void sendInSession(String... ids) {
        var messages = new ArrayList<ServiceBusMessage>();
        for (String id : ids) {
            messages.add(new ServiceBusMessage(id).setMessageId(id).setSessionId("s"));
        }
        try (var sender = service.client().sender().queueName(queue).buildClient()) {
            sender.sendMessages(messages);
        }
    }

    private List<String> booked() {
        return service.bookings(queue + "-");
    }
}
