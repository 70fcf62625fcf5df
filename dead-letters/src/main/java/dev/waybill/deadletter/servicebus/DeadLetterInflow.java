package dev.waybill.deadletter.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Messages as they come: while some are stored, the next are on their way. */
final class DeadLetterInflow extends BaseSubscriber<ServiceBusReceivedMessage> {
    private static final long RIGHT_BEHIND_MILLIS = 5;

    private final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final String name;
    private int asked;

    DeadLetterInflow(String name) {
        this.name = name;
    }

    /** Waits for the first, and takes those along that come right behind it. By one thread. */
    List<ServiceBusReceivedMessage> next(int most, Duration atMost) throws InterruptedException {
        ask(2 * most);
        var messages = new ArrayList<ServiceBusReceivedMessage>();
        @Nullable Signal signal = signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
        while (signal != null) {
            if (signal.message == null) {
                return ended(messages, signal);
            }
            asked--;
            messages.add(signal.message);
            signal = messages.size() < most ? signals.poll(RIGHT_BEHIND_MILLIS, TimeUnit.MILLISECONDS) : null;
        }
        return messages;
    }

    // What came before the end can still be stored.
    private List<ServiceBusReceivedMessage> ended(List<ServiceBusReceivedMessage> messages, Signal end) {
        signals.add(end);
        if (messages.isEmpty()) {
            throw new IllegalStateException(name + " ended", end.failure);
        }
        return messages;
    }

    private void ask(int most) {
        if (asked <= most / 2 && !isDisposed()) {
            int more = most - asked;
            asked = most;
            request(more);
        }
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}

    @Override
    protected void hookOnNext(ServiceBusReceivedMessage message) {
        signals.add(new Signal(message, null));
    }

    @Override
    protected void hookOnError(Throwable failure) {
        signals.add(new Signal(null, failure));
    }

    @Override
    protected void hookOnComplete() {
        signals.add(new Signal(null, null));
    }

    /** A message, or the end. */
    private record Signal(
            @Nullable ServiceBusReceivedMessage message,
            @Nullable Throwable failure) {}
}
