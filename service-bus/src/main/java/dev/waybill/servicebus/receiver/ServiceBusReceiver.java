package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.MessageSource.ReceiveException;
import dev.waybill.inbox.Receiver;
import dev.waybill.servicebus.ReceiveBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Requests messages explicitly. The SDK's synchronous receiver abandons late messages, which raises their delivery count. */
final class ServiceBusReceiver implements Receiver {
    private final ServiceBusReceiverAsyncClient receiver;
    private final Connections.Connection<?> connection;
    private final String path;
    private final boolean settles;
    private final @Nullable String session;
    private final ReceiveBuffer buffer;
    private volatile @Nullable Runnable lostListener;
    private final AtomicBoolean closed = new AtomicBoolean();

    ServiceBusReceiver(
            ServiceBusReceiverAsyncClient receiver,
            Connections.Connection<?> connection,
            String path,
            boolean settles) {
        this.receiver = receiver;
        this.connection = connection;
        this.path = path;
        this.settles = settles;
        this.session = receiver.getSessionId();
        buffer = new ReceiveBuffer(name(), this::ended, this::afterTheEnd);
        receiver.receiveMessages().subscribe(buffer);
    }

    @Override
    public Optional<String> session() {
        return Optional.ofNullable(session);
    }

    @Override
    public void readAhead(int messages) {
        buffer.readAhead(session == null ? 0 : messages);
    }

    @Override
    public Optional<InboundMessage> receive(Duration atMost) throws InterruptedException {
        @Nullable ServiceBusReceivedMessage message = buffer.next(atMost);
        if (message == null) {
            return Optional.empty();
        }
        connection.heard();
        return Optional.of(new ReceivedMessage(message, path));
    }

    @Override
    public List<InboundMessage> receive(int most, Duration atMost) throws InterruptedException {
        var messages = new ArrayList<InboundMessage>();
        buffer.next(most, atMost).forEach(message -> messages.add(new ReceivedMessage(message, path)));
        if (!messages.isEmpty()) {
            connection.heard();
        }
        return messages;
    }

    @Override
    public void drain(Duration atMost) throws InterruptedException {
        buffer.drain(atMost);
    }

    @Override
    public void stopReceiving() {
        buffer.cancel();
    }

    @Override
    public Optional<InboundMessage> receiveDeferred(long sequenceNumber) {
        try {
            return receiver.receiveDeferredMessage(sequenceNumber)
                    .blockOptional(Settlement.DEADLINE)
                    .map(message -> new ReceivedMessage(message, path));
        } catch (RuntimeException e) {
            if (Settlement.isNotFound(e)) {
                return Optional.empty();
            }
            throw new LockLostException("Deferred message " + sequenceNumber + " could not be received", e);
        }
    }

    // Callers that wait for the result have their own timeout.
    @Override
    public CompletionStage<@Nullable Void> complete(InboundMessage message) {
        return settles ? receiver.complete(sdkMessage(message)).toFuture() : CompletableFuture.completedFuture(null);
    }

    @Override
    public void abandon(InboundMessage message) {
        settle(message, receiver::abandon);
    }

    @Override
    public void defer(InboundMessage message) {
        settle(message, receiver::defer);
    }

    @Override
    public void deadLetter(InboundMessage message, String reason, String description) {
        var options = new DeadLetterOptions().setDeadLetterReason(reason).setDeadLetterErrorDescription(description);
        settle(message, sdkMessage -> receiver.deadLetter(sdkMessage, options));
    }

    private void settle(InboundMessage message, Function<ServiceBusReceivedMessage, Mono<Void>> how) {
        if (settles) {
            Settlement.await(how.apply(sdkMessage(message)), message);
        }
    }

    @Override
    public Optional<byte[]> sessionState() {
        try {
            return receiver.getSessionState().blockOptional(Settlement.DEADLINE);
        } catch (RuntimeException e) {
            throw new LockLostException("The state of " + name() + " could not be read", e);
        }
    }

    @Override
    public void sessionState(byte @Nullable [] state) {
        try {
            receiver.setSessionState(state).block(Settlement.DEADLINE);
        } catch (RuntimeException e) {
            throw new LockLostException("The state of " + name() + " could not be stored", e);
        }
    }

    @Override
    public CompletionStage<@Nullable Void> renewLock(@Nullable InboundMessage message) {
        if (session == null && message == null) {
            return CompletableFuture.completedFuture(null);
        }
        Mono<?> renewal = session != null || message == null
                ? receiver.renewSessionLock()
                : receiver.renewMessageLock(sdkMessage(message));
        return renewal.timeout(Settlement.DEADLINE)
                .onErrorMap(Settlement::isLockLost, e -> new LockLostException("The lock of " + name() + " is lost", e))
                .then()
                .toFuture();
    }

    @Override
    public void whenLost(Runnable listener) {
        lostListener = listener;
    }

    // Without sessions, the link holds no lock. The next one may be refused for the same reason.
    private RuntimeException afterTheEnd(String what, @Nullable Throwable cause) {
        return session == null ? new ReceiveException(what, cause) : new LockLostException(what, cause);
    }

    // Without sessions, each message has its own lock, which outlives the link.
    private void ended() {
        Runnable listener = lostListener;
        if (listener != null && session != null) {
            listener.run();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            buffer.dispose();
            receiver.close();
            connection.leave();
        }
    }

    private String name() {
        return session == null ? "the receiver of '" + path + "'" : "session '" + session + "' of '" + path + "'";
    }

    private static ServiceBusReceivedMessage sdkMessage(InboundMessage message) {
        return ((ReceivedMessage) message).message();
    }
}
