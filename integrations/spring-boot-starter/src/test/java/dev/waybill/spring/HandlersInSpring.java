package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.OutsideWork;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A consumer whose handlers call services with transactions of Spring's. The same for JDBC and for JPA. */
@ExtendWith(TestService.Extension.class)
abstract class HandlersInSpring {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(2));

    private final AtomicInteger tries = new AtomicInteger();
    TestService service;
    String queue;
    private @Nullable InboxConsumer consumer;

    /** The service's manager. */
    abstract PlatformTransactionManager manager();

    /** Saves a booking, as a repository does. */
    abstract void save(String what);

    @BeforeEach
    void take_a_queue(TestService service) {
        this.service = service;
        queue = service.newQueue();
    }

    @AfterEach
    void stop() {
        if (consumer != null) {
            consumer.close();
        }
    }

    @Test
    void a_service_that_a_handler_calls_has_its_effects_once_however_often_the_handler_fails() {
        consume((tx, message) -> {
            book(message.text());
            failTwice();
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(tries).hasValue(3);
        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a");
        assertThat(service.deadLetters(queue)).isZero();
    }

    /** Shows the result that the tests of this class would have without the boundary. */
    @Test
    void in_the_consumers_own_transaction_the_same_service_commits_by_itself_each_time() {
        start(settings -> settings, (tx, message) -> {
            book(message.text());
            failTwice();
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(service.bookings(queue + "-")).hasSize(3);
    }

    @Test
    void a_message_that_comes_again_has_no_effect() {
        consume((tx, message) -> {
            book(message.text());
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);
        service.send(queue, "m1", queue + "-again");
        service.awaitSettled(queue, 2);

        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a");
    }

    @Test
    void a_handler_that_swallows_the_exception_of_a_service_is_not_done() {
        consume((tx, message) -> {
            if (tries.incrementAndGet() == 1) {
                assertThatThrownBy(() -> transaction(TransactionDefinition.PROPAGATION_REQUIRED, () -> {
                            save(message.text() + "-swallowed");
                            throw new IllegalStateException("no");
                        }))
                        .hasMessage("no");
                return Verdict.done();
            }
            book(message.text());
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(tries).hasValue(2);
        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a");
        assertThat(service.deadLetters(queue)).isZero();
    }

    @Test
    void a_handler_that_asks_for_a_roll_back_is_not_done() {
        consume((tx, message) -> {
            boolean first = tries.incrementAndGet() == 1;
            new TransactionTemplate(manager()).executeWithoutResult(status -> {
                save(message.text() + tries);
                if (first) {
                    status.setRollbackOnly();
                }
            });
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a2");
    }

    @Test
    void an_exception_after_the_commit_neither_repeats_the_message_nor_fails_it() {
        consume((tx, message) -> {
            tries.incrementAndGet();
            book(message.text());
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new IllegalStateException("a listener fails");
                }
            });
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(tries).hasValue(1);
        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a");
        assertThat(service.deadLetters(queue)).isZero();
    }

    @Test
    void an_exception_before_the_commit_leaves_nothing_and_is_tried_again() {
        consume((tx, message) -> {
            book(message.text());
            if (tries.incrementAndGet() == 1) {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        throw new IllegalStateException("a listener fails");
                    }
                });
            }
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(tries).hasValue(2);
        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a");
    }

    @Test
    void work_in_a_transaction_of_its_own_is_found_and_the_message_fails_for_good() {
        consume((tx, message) -> {
            tries.incrementAndGet();
            transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> save(message.text() + "-outside"));
            book(message.text());
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(tries).hasValue(1);
        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a-outside");
        assertThat(deadLetterDescription()).contains("suspended by dev.waybill.spring.HandlersInSpring.");
    }

    @Test
    void work_without_a_transaction_is_found_and_the_message_fails_for_good() {
        consume((tx, message) -> {
            transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED, () -> {});
            book(message.text());
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(service.bookings(queue + "-")).isEmpty();
        assertThat(service.deadLetters(queue)).isOne();
    }

    @Test
    void work_outside_that_may_happen_more_than_once_is_let_through_where_that_is_said() {
        start(
                settings -> settings.transactions(SpringTransactions.of(manager(), service.pool()))
                        .outsideWork(OutsideWork.WARN),
                (tx, message) -> {
                    transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> save(message.text() + "-own"));
                    book(message.text());
                    return Verdict.done();
                });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(service.bookings(queue + "-")).containsExactly(queue + "-a-own", queue + "-a");
    }

    void consume(Handler handler) {
        start(settings -> settings.transactions(SpringTransactions.of(manager(), service.pool())), handler);
    }

    InboxConsumer start(UnaryOperator<InboxConsumer.Builder> change, Handler handler) {
        InboxConsumer started = change.apply(InboxConsumer.builder(service.pool())
                        .schema(service.schema())
                        .name(queue)
                        .source(ServiceBusSource.ofQueue(service::client, queue))
                        .handler(handler)
                        .concurrency(2)
                        .tuning(tuning -> tuning.drain(Duration.ofSeconds(2)))
                        .retries(BRIEFLY))
                .build()
                .start();
        consumer = started;
        return started;
    }

    /** A method of a service with {@code @Transactional}. */
    void book(String what) {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED, () -> save(what));
    }

    void transaction(int propagation, Runnable work) {
        var template = new TransactionTemplate(manager());
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(status -> work.run());
    }

    private void failTwice() {
        if (tries.incrementAndGet() < 3) {
            throw new IllegalStateException("not yet");
        }
    }

    AtomicInteger tries() {
        return tries;
    }

    String deadLetterDescription() {
        try (var receiver = service.client()
                .receiver()
                .queueName(queue)
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildClient()) {
            return receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                    .map(message -> message.getDeadLetterReason() + " " + message.getDeadLetterErrorDescription())
                    .findFirst()
                    .orElseThrow();
        }
    }

    List<String> booked() {
        return service.bookings(queue + "-");
    }
}
