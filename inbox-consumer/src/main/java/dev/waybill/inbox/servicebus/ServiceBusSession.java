package dev.waybill.inbox.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.MessageSession;
import dev.waybill.inbox.SessionLostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/**
 * A session on the SDK's asynchronous receiver, asked for one message at a time. The synchronous receiver gives messages
 * back that arrive after its wait has ended, which raises their delivery count.
 */
final class ServiceBusSession implements MessageSession {
    private final ServiceBusReceiverAsyncClient receiver;
    private final Duration settleDeadline;
    private final Inflow inflow = new Inflow();

    ServiceBusSession(ServiceBusReceiverAsyncClient receiver, Duration settleDeadline) {
        this.receiver = receiver;
        this.settleDeadline = settleDeadline;
        receiver.receiveMessages().subscribe(inflow);
    }

    @Override
    public String id() {
        return receiver.getSessionId();
    }

    @Override
    public Optional<InboundMessage> receive(Duration atMost) throws InterruptedException {
        @Nullable Signal signal = inflow.isDisposed() ? inflow.signals.poll() : next(atMost);
        return signal == null ? Optional.empty() : Optional.of(signal.messageOf(id()));
    }

    private @Nullable Signal next(Duration atMost) throws InterruptedException {
        inflow.request(1);
        @Nullable Signal signal = inflow.signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
        return signal != null ? signal : lastBeforeTheEnd();
    }

    // A message may arrive just as the wait ends. Left alone it would come again with a higher delivery count.
    private @Nullable Signal lastBeforeTheEnd() {
        inflow.cancel();
        return inflow.signals.poll();
    }

    @Override
    public void complete(InboundMessage message) {
        await(receiver.complete(sdkMessage(message)), message);
    }

    @Override
    public void deadLetter(InboundMessage message, String reason, String description) {
        var options = new DeadLetterOptions().setDeadLetterReason(reason).setDeadLetterErrorDescription(description);
        await(receiver.deadLetter(sdkMessage(message), options), message);
    }

    @Override
    public void close() {
        inflow.dispose();
        receiver.close();
    }

    private void await(Mono<Void> settlement, InboundMessage message) {
        try {
            settlement.block(settleDeadline);
        } catch (RuntimeException e) {
            throw new SessionLostException(
                    "The settlement of message '" + message.id() + "' of session '" + id() + "' was not confirmed", e);
        }
    }

    private static ServiceBusReceivedMessage sdkMessage(InboundMessage message) {
        return ((ReceivedMessage) message).message();
    }

    /** A message, or the end of the session. */
    private record Signal(
            @Nullable ServiceBusReceivedMessage message,
            @Nullable Throwable end) {
        InboundMessage messageOf(String session) {
            if (message == null) {
                throw new SessionLostException(
                        "Session '" + session + "' ended",
                        end != null ? end : new IllegalStateException("The receiver has completed"));
            }
            return new ReceivedMessage(message);
        }
    }

    private static final class Inflow extends BaseSubscriber<ServiceBusReceivedMessage> {
        private final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();

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
    }
}
