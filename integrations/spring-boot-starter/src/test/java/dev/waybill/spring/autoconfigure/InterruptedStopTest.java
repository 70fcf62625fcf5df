package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.spring.TestService;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Services that an interrupted thread stops and destroys. */
@ExtendWith(TestService.Extension.class)
@Timeout(60)
class InterruptedStopTest {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

    @Test
    void what_the_services_need_is_there_until_they_have_ended(TestService service) throws Exception {
        var services = new Slow(service);
        services.start();

        var endedBeforeTheyAreDestroyed = new CompletableFuture<Boolean>();
        var interruptedAfter = new CompletableFuture<Boolean>();
        var thread = new Thread(() -> {
            Thread.currentThread().interrupt();
            // Spring waits for the callback, which the interrupt ends, and destroys its beans then.
            services.stop(() -> {});
            services.destroy();
            endedBeforeTheyAreDestroyed.complete(closed.isDone());
            interruptedAfter.complete(Thread.interrupted());
        });
        thread.start();
        closing.await();
        await().until(() ->
                Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED).contains(thread.getState()));
        end.countDown();

        assertThat(endedBeforeTheyAreDestroyed.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(interruptedAfter.get(30, TimeUnit.SECONDS)).isTrue();
    }

    private final class Slow extends Services {
        private final Service<AutoCloseable> service;

        Slow(TestService test) {
            super(RELAY, true);
            service = new Service<>("slow", new Database(test.pool(), () -> {}), () -> this::endSlowly);
        }

        private void endSlowly() throws InterruptedException {
            closing.countDown();
            end.await();
            closed.complete(true);
        }

        @Override
        List<Service<?>> all() {
            return List.of(service);
        }
    }
}
