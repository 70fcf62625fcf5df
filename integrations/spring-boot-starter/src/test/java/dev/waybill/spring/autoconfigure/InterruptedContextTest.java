package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.spring.TestService;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.jdbc.core.JdbcTemplate;

/** Whole contexts whose closing thread is interrupted. */
@ExtendWith(TestService.Extension.class)
@Timeout(120)
class InterruptedContextTest {
    private final Set<Thread> before = threadsOfWaybill();

    @Test
    void relay_and_consumers_have_ended_when_a_thread_that_is_interrupted_meanwhile_has_closed_the_context(
            TestService service) throws Exception {
        ConfigurableApplicationContext context = app(service);
        ApplicationListener<ContextClosedEvent> interrupting =
                event -> Thread.currentThread().interrupt();
        context.addApplicationListener(interrupting);

        assertThat(interruptedAfter(context::close)).isTrue();

        assertThat(threadsLeft()).isEmpty();
        assertNothingIsSaidToLive(service);
    }

    /** Spring 6.2.19 does nothing at all then, and says nothing; older versions close. */
    @Test
    void a_close_that_spring_drops_for_an_interrupt_leaves_all_at_work_and_the_next_one_ends_it(TestService service)
            throws Exception {
        ConfigurableApplicationContext context = app(service);
        RelayLifecycle relay = context.getBean(RelayLifecycle.class);
        ConsumersLifecycle consumers = context.getBean(ConsumersLifecycle.class);

        assertThat(interruptedAfter(() -> {
                    Thread.currentThread().interrupt();
                    context.close();
                }))
                .isTrue();
        assertThat(relay.isRunning()).isEqualTo(context.isActive());
        assertThat(consumers.isRunning()).isEqualTo(context.isActive());
        context.close();

        assertThat(threadsLeft()).isEmpty();
        assertNothingIsSaidToLive(service);
    }

    private static ConfigurableApplicationContext app(TestService service) {
        String queue = service.newQueue();
        return Apps.on(service)
                .and(Books.class)
                .with("waybill.destinations." + queue + ".sessions", "false")
                .with("waybill.consumers.books.queue", queue)
                .with("spring.datasource.hikari.maximum-pool-size", "14")
                .run();
    }

    private static boolean interruptedAfter(Runnable closing) throws Exception {
        var interrupted = new CompletableFuture<Boolean>();
        new Thread(() -> {
                    closing.run();
                    interrupted.complete(Thread.interrupted());
                })
                .start();
        return interrupted.get(60, TimeUnit.SECONDS);
    }

    private Set<Thread> threadsLeft() {
        Set<Thread> left = threadsOfWaybill();
        left.removeAll(before);
        return left;
    }

    private static Set<Thread> threadsOfWaybill() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-relay-")
                        || thread.getName().startsWith("waybill-inbox-"))
                .collect(Collectors.toSet());
    }

    private static void assertNothingIsSaidToLive(TestService service) {
        var jdbc = new JdbcTemplate(service.pool());
        assertThat(jdbc.queryForList(
                        "select id from " + service.schema().table("relay") + " where alive_until > clock_timestamp()"))
                .isEmpty();
        assertThat(jdbc.queryForList("select consumer from " + service.schema().table("inbox_instance")))
                .isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    static class Books {
        @Bean
        Handler books() {
            return (tx, message) -> Verdict.done();
        }
    }
}
