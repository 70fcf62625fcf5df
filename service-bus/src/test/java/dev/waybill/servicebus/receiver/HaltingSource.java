package dev.waybill.servicebus.receiver;

import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.Receiver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A source whose process ends when it is about to complete a message. */
record HaltingSource(MessageSource source) implements MessageSource {
    @Override
    public EntityDescription facts() {
        return source.facts();
    }

    @Override
    public Optional<Receiver> acceptNext() throws InterruptedException {
        return source.acceptNext().map(Halting::new);
    }

    @Override
    public Optional<Receiver> accept(String session, Duration atMost) throws InterruptedException {
        return source.accept(session, atMost).map(Halting::new);
    }

    @Override
    public void stopAccepting() {
        source.stopAccepting();
    }

    @Override
    public void close() {
        source.close();
    }

    private record Halting(Receiver receiver) implements Receiver {
        @Override
        public Optional<String> session() {
            return receiver.session();
        }

        @Override
        public Optional<InboundMessage> receive(Duration atMost) throws InterruptedException {
            return receiver.receive(atMost);
        }

        @Override
        public List<InboundMessage> receive(int most, Duration atMost) throws InterruptedException {
            return receiver.receive(most, atMost);
        }

        @Override
        public void stopReceiving() {
            receiver.stopReceiving();
        }

        @Override
        public Optional<InboundMessage> receiveDeferred(long sequenceNumber) {
            return receiver.receiveDeferred(sequenceNumber);
        }

        @Override
        public CompletionStage<@Nullable Void> complete(InboundMessage message) {
            Runtime.getRuntime().halt(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void abandon(InboundMessage message) {
            receiver.abandon(message);
        }

        @Override
        public void defer(InboundMessage message) {
            receiver.defer(message);
        }

        @Override
        public void deadLetter(InboundMessage message, String reason, String description) {
            receiver.deadLetter(message, reason, description);
        }

        @Override
        public CompletionStage<@Nullable Void> renewLock(@Nullable InboundMessage message) {
            return receiver.renewLock(message);
        }

        @Override
        public void whenLost(Runnable listener) {
            receiver.whenLost(listener);
        }

        @Override
        public void close() {
            receiver.close();
        }
    }
}
