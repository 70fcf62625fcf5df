package dev.waybill.spring.autoconfigure;

import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.TestService;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** Services that stop while their database is away. Their pools would wait for it for ten minutes. */
@ExtendWith(TestService.Extension.class)
class StopTest {
    private static final String PATIENT_POOL = "600000";

    /** Nothing is lost: the lease of the relay that could not sign off runs out, and the next one goes on. */
    @Test
    @Tag("long")
    void a_stop_does_not_wait_for_a_database_that_is_away_and_the_next_process_goes_on(TestService service)
            throws Exception {
        String queue = service.newQueue();
        URI url = URI.create(service.jdbcUrl().substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(url.getPort())) {
            String detour = service.jdbcUrl().replace(url.getHost() + ":" + url.getPort(), "127.0.0.1:" + proxy.port());
            ConfigurableApplicationContext first = app(service, queue)
                    .with("spring.datasource.url", detour)
                    .with("spring.datasource.hikari.connection-timeout", PATIENT_POOL)
                    .run();
            append(first, queue, "one");
            service.awaitSettled(queue, 1);

            proxy.leadTo(1);
            proxy.cut();
            awaitWaitingRelay();
            CompletableFuture.runAsync(first::close).get(60, TimeUnit.SECONDS);
        }

        try (var next = app(service, queue).run()) {
            append(next, queue, "two");

            service.awaitSettled(queue, 2);
        }
    }

    private static Apps app(TestService service, String queue) {
        return Apps.on(service)
                .and(Books.class)
                .with("queue", queue)
                .with("spring.flyway.enabled", "false")
                .with("spring.lifecycle.timeout-per-shutdown-phase", "10m")
                .with("waybill.relay.lease-duration", "3s")
                .with("waybill.destinations." + queue + ".sessions", "false")
                .with("waybill.consumers.books.queue", queue)
                .with("waybill.consumers.letters.queue", service.newQueue())
                .with("waybill.consumers.letters.transactions", "own")
                .with("spring.datasource.hikari.maximum-pool-size", "14");
    }

    private static void append(ConfigurableApplicationContext context, String queue, String id) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> context.getBean(Outbox.class)
                        .append(OutboxMessage.to(queue).id(queue + id).text(id).build()));
    }

    // By then it has used up what the pool had, and waits for a new connection.
    private static void awaitWaitingRelay() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Thread.getAllStackTraces().entrySet().stream()
                        .filter(thread -> thread.getKey().getName().equals("waybill-relay-heartbeat"))
                        .flatMap(thread -> Arrays.stream(thread.getValue()))
                        .anyMatch(frame -> frame.getClassName().startsWith("com.zaxxer.hikari.util.ConcurrentBag")));
    }

    @Configuration(proxyBeanMethods = false)
    static class Books {
        @Bean
        Handler books() {
            return (tx, message) -> Verdict.done();
        }

        @Bean
        Handler letters() {
            return (tx, message) -> Verdict.done();
        }
    }
}
