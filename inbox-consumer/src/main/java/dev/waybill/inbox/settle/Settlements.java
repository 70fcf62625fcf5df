package dev.waybill.inbox.settle;

import dev.waybill.inbox.BrokerSession;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.ConsumerListener.Outcome;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.SessionHook;
import dev.waybill.inbox.failure.DeadLetterText;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.supervision.CountedFailure;
import dev.waybill.supervision.Traces;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settlements of one receiver's messages. Completions do not wait for the broker: what is completed is
 * committed, so the next message may be handled meanwhile; one whose confirmation is lost comes again as a
 * duplicate. All else waits, after the completions before it. Used by one thread.
 */
public final class Settlements {
    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);
    private static final Traces TRACES = new Traces();

    /** Time enough for an answer, and less than most locks last. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final Receiver receiver;
    private final ConsumerListener listener;
    private final @Nullable Fence fence;
    private final Deque<Done> unsent = new ArrayDeque<>();
    private final Deque<Completion> underWay = new ArrayDeque<>();

    private boolean stopped;
    private @Nullable Throwable hookFailure;

    /** @param fence under which the receiver's session was accepted; null if it has none */
    public Settlements(Receiver receiver, ConsumerListener listener, @Nullable Fence fence) {
        this.receiver = receiver;
        this.listener = listener;
        this.fence = fence;
    }

    public @Nullable Fence fence() {
        return fence;
    }

    Optional<String> session() {
        return receiver.session();
    }

    /** The broker is told by {@link #send}. */
    public void complete(InboundMessage message, Outcome outcome) {
        unsent.add(new Done(message, outcome));
    }

    /** Completes, without waiting for the broker; {@link #confirm} does that. Not while a transaction is open. */
    public void send() {
        for (@Nullable Done done = unsent.poll(); done != null; done = unsent.poll()) {
            CompletableFuture<@Nullable Void> confirmation =
                    receiver.complete(done.message()).toCompletableFuture();
            underWay.add(new Completion(done.message(), done.outcome(), confirmation));
        }
    }

    void deadLetter(InboundMessage message, String reason, String description, Outcome outcome)
            throws InterruptedException {
        confirm(0);
        receiver.deadLetter(message, DeadLetterText.reason(reason), DeadLetterText.description(description));
        listener.settled(message, outcome);
    }

    void abandon(InboundMessage message) throws InterruptedException {
        confirm(0);
        receiver.abandon(message);
        listener.settled(message, Outcome.ABANDONED);
    }

    Optional<InboundMessage> receiveDeferred(long sequenceNumber) {
        return receiver.receiveDeferred(sequenceNumber);
    }

    public void defer(InboundMessage message) throws InterruptedException {
        confirm(0);
        receiver.defer(message);
        listener.settled(message, Outcome.DEFERRED);
    }

    /**
     * Hears what the broker has confirmed, in order, and waits until no more than so many are left.
     *
     * @throws LockLostException if a message may not be gone
     */
    public void confirm(int most) throws InterruptedException {
        send();
        @Nullable Completion next = underWay.peek();
        while (next != null && (underWay.size() > most || next.confirmation().isDone())) {
            underWay.remove();
            confirm(next);
            next = underWay.peek();
        }
    }

    private void confirm(Completion completion) throws InterruptedException {
        InboundMessage message = completion.message();
        try {
            completion.confirmation().get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            listener.lockLost(message);
            throw new LockLostException("The completion of message '" + message.id() + "' was not confirmed", e);
        }
        listener.settled(message, completion.outcome());
    }

    /**
     * Asks for no more messages, after the hook has had its say: the session's state is out of reach from then on.
     */
    public void stopReceiving(SessionHook hook) throws InterruptedException {
        if (!stopped) {
            stopped = true;
            confirm(0);
            if (session().isPresent()) {
                release(hook);
            }
            receiver.stopReceiving();
        }
    }

    // Its messages have come to an end; what fails now must cost none of those that still arrive.
    private void release(SessionHook hook) {
        try {
            hook.releasing(new BrokerSession(receiver));
        } catch (Throwable e) {
            TRACES.warn(LOG, "The hook of session '" + session().orElse("") + "' failed when it was released", e);
            hookFailure = e;
        }
    }

    /** Throws if the hook has failed. */
    public void requireHook() {
        if (hookFailure != null) {
            throw CountedFailure.handled(hookFailure);
        }
    }

    /** Of what is not confirmed by now nothing will be heard. */
    public void giveUp() {
        underWay.forEach(completion -> listener.lockLost(completion.message()));
        unsent.forEach(done -> listener.lockLost(done.message()));
        underWay.clear();
        unsent.clear();
    }

    private record Done(InboundMessage message, Outcome outcome) {}

    private record Completion(
            InboundMessage message, Outcome outcome, CompletableFuture<@Nullable Void> confirmation) {}
}
