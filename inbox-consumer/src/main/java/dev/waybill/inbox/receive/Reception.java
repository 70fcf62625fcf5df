package dev.waybill.inbox.receive;

import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.MessageSource.ReceiveException;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.supervision.CountedFailure;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the consumer's threads can receive: one log line for all of them, and why not. Thread-safe. */
public final class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

    /** Shorter troubles do not count: a link is replaced within seconds. */
    private static final Duration TOLERATED = Duration.ofSeconds(10);

    /** The broker refuses a link sooner, so a longer turn has a link, or a broker that says nothing. */
    private static final Duration ATTACHED = Duration.ofSeconds(30);

    private final String who;
    private final WorkerClock clock;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private final Map<Object, Long> turns = new HashMap<>();
    private volatile @Nullable Throwable failure;
    private long failingSince;
    /** Whether the broker has ever answered. To ask at the start instead would keep a service from starting without it. */
    private volatile boolean known;

    public Reception(String consumer, WorkerClock clock) {
        who = "Consumer '" + consumer + "'";
        this.clock = clock;
    }

    @FunctionalInterface
    public interface Turn {
        void take() throws InterruptedException;
    }

    /** Takes a turn of a receiving thread. */
    public void during(Turn turn) throws InterruptedException {
        var key = new Object();
        begin(key);
        try {
            turn.take();
        } catch (ReceiveException e) {
            if (!clock.stopping()) {
                fail(e);
                fault.failed(who + " receives nothing and retries with a back-off", e);
            }
            throw CountedFailure.logged(e);
        } catch (CountedFailure e) {
            throw e;
        } catch (RuntimeException e) {
            fail(e);
            throw e;
        } finally {
            end(key);
        }
    }

    private synchronized void begin(Object key) {
        turns.put(key, clock.now());
    }

    private synchronized void end(Object key) {
        turns.remove(key);
    }

    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failingSince = clock.now();
        }
        failure = thrown;
    }

    /** The broker has granted a session or sent a message. An idle link without sessions proves nothing: it may never have been attached. */
    void works() {
        known = true;
        if (failure != null) {
            succeed();
        }
    }

    private synchronized void succeed() {
        failure = null;
        fault.recovered(who + " receives again");
    }

    /**
     * If a turn lasts as if it had a link, and the broker answers, the consumer receives, or receives again. A broker that has never
     * answered may accept connections and say nothing. May take as long as the answer.
     */
    public void prove(MessageSource source, Duration atMost) throws InterruptedException {
        if (seemsAttached() && source.answers(atMost)) {
            works();
        } else if (seemsAttached() && !known) {
            var silence = new ReceiveException("The broker has accepted the connection and says nothing", null);
            fail(silence);
            fault.failed(who + " receives nothing and retries with a back-off", silence);
        }
    }

    private synchronized boolean seemsAttached() {
        return (failure != null || !known)
                && turns.values().stream()
                        .anyMatch(begunAt -> clock.since(begunAt).compareTo(ATTACHED) >= 0);
    }

    /** Why the consumer has received nothing for a while; null if it receives. */
    public synchronized @Nullable String trouble() {
        @Nullable Throwable last = failure;
        return last == null || clock.since(failingSince).compareTo(TOLERATED) < 0 ? null : RootCause.of(last);
    }
}
