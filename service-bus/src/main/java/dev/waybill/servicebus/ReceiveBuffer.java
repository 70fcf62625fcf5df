package dev.waybill.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Buffers messages of an asynchronous receiver. One thread takes messages; the SDK's threads add them. */
public final class ReceiveBuffer extends BaseSubscriber<ServiceBusReceivedMessage> {
    private static final long RIGHT_BEHIND_MILLIS = 3;

    private final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final String name;
    private final Runnable onEnd;
    private final BiFunction<String, @Nullable Throwable, ? extends RuntimeException> ended;
    private int asked;
    private int ahead;

    /** {@code onEnd} runs on the SDK's thread; {@code ended} creates the exception for calls after the receiver's end. */
    public ReceiveBuffer(
            String name, Runnable onEnd, BiFunction<String, @Nullable Throwable, ? extends RuntimeException> ended) {
        this.name = name;
        this.onEnd = onEnd;
        this.ended = ended;
    }

    /** How many messages to request beyond those waited for. Default: 0. */
    public void readAhead(int messages) {
        ahead = messages;
    }

    /** The next message, or null after {@code atMost}. */
    public @Nullable ServiceBusReceivedMessage next(Duration atMost) throws InterruptedException {
        ask(1);
        return taken(signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Waits for the next message, and returns it with those that follow within milliseconds. */
    public List<ServiceBusReceivedMessage> next(int most, Duration atMost) throws InterruptedException {
        ask(most);
        var messages = new ArrayList<ServiceBusReceivedMessage>();
        @Nullable ServiceBusReceivedMessage next = taken(signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS));
        while (next != null) {
            messages.add(next);
            boolean more = messages.size() < most && (asked > 0 || !signals.isEmpty());
            @Nullable Signal signal = more ? signals.poll(RIGHT_BEHIND_MILLIS, TimeUnit.MILLISECONDS) : null;
            if (signal != null && signal.message == null) {
                // The next call reports the end; these messages can still be stored or settled.
                signals.add(signal);
                return messages;
            }
            next = taken(signal);
        }
        return messages;
    }

    /** Drops requested messages until all have arrived, or the time is over. */
    public void drain(Duration atMost) throws InterruptedException {
        long begunAt = System.nanoTime();
        @Nullable Signal next = null;
        while (asked > 0 && (next == null || next.message != null)) {
            next = signals.poll(atMost.toNanos() - (System.nanoTime() - begunAt), TimeUnit.NANOSECONDS);
            if (next == null) {
                return;
            }
            asked--;
        }
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
            // So that later calls report the end too.
            signals.add(signal);
            throw ended.apply(name + " ended", signal.end);
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

    private record Signal(
            @Nullable ServiceBusReceivedMessage message,
            @Nullable Throwable end) {}
}
