package dev.waybill.relay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A broker that takes everything, and answers to some shipments only when the test says so. */
final class HeldBackPublisher implements Publisher {
    private final RecordingPublisher broker;
    private final Predicate<Shipment> heldBack;
    private final Deque<Runnable> answers = new ArrayDeque<>();

    HeldBackPublisher(RecordingPublisher broker, Predicate<Shipment> heldBack) {
        this.broker = broker;
        this.heldBack = heldBack;
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        if (!heldBack.test(shipment)) {
            return broker.publish(shipment);
        }
        var answer = new CompletableFuture<PublishResult>();
        answers.add(() -> broker.publish(shipment).thenAccept(answer::complete));
        return answer;
    }

    /** Answers to all that is under way. */
    void answer() {
        while (!answers.isEmpty()) {
            answers.remove().run();
        }
    }

    @Override
    public void close() {}
}
