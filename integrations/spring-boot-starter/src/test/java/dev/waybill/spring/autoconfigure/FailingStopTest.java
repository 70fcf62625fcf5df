package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.TestService;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Services whose close throws what is no exception, as code of others may that lacks a class. */
@ExtendWith(TestService.Extension.class)
@Timeout(30)
class FailingStopTest {
    @Test
    void an_error_of_a_close_keeps_no_context_from_being_closed(TestService test) throws Exception {
        var closed = new CountDownLatch(1);
        var called = new CountDownLatch(1);
        var services = new Several(
                test,
                () -> {
                    throw new NoClassDefFoundError("a/Lost");
                },
                closed::countDown);
        services.start();

        services.stop(called::countDown);

        assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(closed.getCount()).isZero();
        assertThat(services.isRunning()).isFalse();
    }

    private static final class Several extends Services {
        private final List<Service<AutoCloseable>> services;

        Several(TestService test, AutoCloseable... closes) {
            super(RELAY, true);
            var database = new Database(test.pool(), () -> {});
            services = List.of(closes).stream()
                    .map(close -> new Service<AutoCloseable>("failing", database, () -> close))
                    .toList();
        }

        @Override
        List<Service<AutoCloseable>> all() {
            return services;
        }
    }
}
