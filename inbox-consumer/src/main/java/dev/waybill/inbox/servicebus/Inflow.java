package dev.waybill.inbox.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.inbox.LockLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Messages as they arrive, so many of them as were asked for; what has arrived waits here until it is taken. */
final class Inflow extends BaseSubscriber<ServiceBusReceivedMessage> {
    private static final long RIGHT_BEHIND_MILLIS = 3;

    private final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final String name;
    private final Runnable onEnd;
    private int asked;
    private int ahead;

    Inflow(String name, Runnable onEnd) {
        this.name = name;
        this.onEnd = onEnd;
    }

    /** How many are to be under way beyond those that are waited for. */
    void readAhead(int messages) {
        ahead = messages;
    }

    /** The next message, or null if none came in time. By one thread. */
    @Nullable ServiceBusReceivedMessage next(Duration atMost) throws InterruptedException {
        ask(1);
        return taken(signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** The next messages: waits for the first, and takes those along that come right behind it. By one thread. */
    List<ServiceBusReceivedMessage> next(int most, Duration atMost) throws InterruptedException {
        ask(most);
        var messages = new ArrayList<ServiceBusReceivedMessage>();
        @Nullable ServiceBusReceivedMessage next = taken(signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS));
        while (next != null) {
            messages.add(next);
            boolean more = messages.size() < most && (asked > 0 || !signals.isEmpty());
            @Nullable Signal signal = more ? signals.poll(RIGHT_BEHIND_MILLIS, TimeUnit.MILLISECONDS) : null;
            if (signal != null && signal.message == null) {
                // The next call says so; these messages are still to be settled, if that is possible.
                signals.add(signal);
                return messages;
            }
            next = taken(signal);
        }
        return messages;
    }

    private void ask(int most) {
        boolean due = asked < most || asked <= (most + ahead) / 2;
        if (due && asked < most + ahead && !isDisposed()) {
            int more = most + ahead - asked;
            asked += more;
            request(more);
        }
    }

    private @Nullable ServiceBusReceivedMessage taken(@Nullable Signal signal) {
        if (signal == null) {
            return null;
        }
        asked--;
        if (signal.message == null) {
            // Whoever asks again hears the same.
            signals.add(signal);
            throw new LockLostException(name + " ended", signal.end);
        }
        return signal.message;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}

    @Override
    protected void hookOnNext(ServiceBusReceivedMessage message) {
        signals.add(new Signal(message, null));
    }

    @Override
    protected void hookOnError(Throwable failure) {
        end(failure);
    }

    @Override
    protected void hookOnComplete() {
        end(null);
    }

    private void end(@Nullable Throwable failure) {
        signals.add(new Signal(null, failure));
        onEnd.run();
    }

    /** A message, or the end. */
    private record Signal(
            @Nullable ServiceBusReceivedMessage message,
            @Nullable Throwable end) {}
}
