package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedCheckTest {
    private final TestClock clock = new TestClock();
    private final SharedCheck check = new SharedCheck(clock);
    private final AtomicInteger made = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Test
    void nobody_relies_on_a_check_that_began_before_it_asked() {
        CompletableFuture<Optional<String>> first = slowly("first");
        CompletableFuture<Optional<String>> second = ask("second");

        assertThat(made).hasValue(1);
        goOn.countDown();

        assertThat(first.join()).isEmpty();
        assertThat(second.join()).as("a check of its own").isEmpty();
        assertThat(made).hasValue(2);
    }

    @Test
    void those_that_ask_while_one_is_under_way_share_the_next() {
        CompletableFuture<Optional<String>> first = slowly("first");
        CompletableFuture<?> others = CompletableFuture.allOf(ask("a"), ask("b"), ask("c"), ask("d"));
        await().until(() -> check.waiting() == 4);

        goOn.countDown();

        first.join();
        others.join();
        assertThat(made).hasValue(2);
    }

    @Test
    void a_check_that_fails_passes_for_nobody_and_the_next_caller_makes_its_own() {
        CompletableFuture<Optional<String>> first = CompletableFuture.supplyAsync(() -> check.require(() -> {
            made.incrementAndGet();
            pause(goOn);
            throw new IllegalStateException("planted");
        }));
        await().until(() -> made.get() == 1);
        CompletableFuture<Optional<String>> second = ask("second");
        await().until(() -> check.waiting() == 1);
        goOn.countDown();

        assertThatThrownBy(first::join).hasMessageContaining("planted");
        assertThat(second.join()).isEmpty();
        assertThat(made).hasValue(2);
    }

    @Test
    void a_check_that_hangs_keeps_nobody_waiting_for_good() {
        CompletableFuture<Optional<String>> hangs = slowly("hangs");
        clock.advanceMillis(SharedCheck.PATIENCE.toMillis());

        assertThat(ask("second").join()).isEmpty();
        assertThat(hangs).isNotDone();
        goOn.countDown();
        hangs.join();
    }

    @Test
    void after_a_check_that_took_long_the_next_waits_no_longer_than_for_one_that_hangs() {
        check.require(() -> {
            clock.advanceMillis(30_000);
            return "slow";
        });
        CompletableFuture<Optional<String>> next = ask("next");
        await().until(() -> check.waiting() == 1);

        clock.advanceMillis(SharedCheck.PATIENCE.toMillis());

        assertThat(next.join()).isEmpty();
    }

    private CompletableFuture<Optional<String>> slowly(String server) {
        var begun = new CountDownLatch(1);
        var asked = CompletableFuture.supplyAsync(() -> check.require(() -> {
            made.incrementAndGet();
            begun.countDown();
            pause(goOn);
            return server;
        }));
        pause(begun);
        return asked;
    }

    private CompletableFuture<Optional<String>> ask(String server) {
        var asked = new CompletableFuture<Optional<String>>();
        var thread = new Thread(() -> asked.complete(check.require(() -> {
            made.incrementAndGet();
            return server;
        })));
        thread.setDaemon(true);
        thread.start();
        return asked;
    }

    private static void pause(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
