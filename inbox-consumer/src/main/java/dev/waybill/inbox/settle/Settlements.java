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
 * Settles the messages of one receiver. Completions do not wait for the broker, because their messages are committed: after a lost
 * confirmation the message comes again as a duplicate. Every other settlement waits, also for earlier completions. For one thread.
 */
public final class Settlements {
    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);
    private static final Traces TRACES = new Traces();

    /** Long enough for the broker's answer, and shorter than most locks. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final Receiver receiver;
    private final ConsumerListener listener;
    private final @Nullable Fence fence;
    private final Deque<Done> unsent = new ArrayDeque<>();
    private final Deque<Completion> underWay = new ArrayDeque<>();

    private boolean stopped;
    private @Nullable Throwable hookFailure;

    /** The fence is null without sessions. */
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

    public void complete(InboundMessage message, Outcome outcome) {
        unsent.add(new Done(message, outcome));
    }

    /** Sends the queued completions without waiting for confirmations; see {@link #confirm}. Not while a transaction is open. */
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

    /** Waits until at most {@code most} confirmations are pending. Throws {@link LockLostException} if one failed or timed out. */
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

    /** Calls the hook, then requests no more messages: the session state is inaccessible afterwards. */
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

    // A failure must not affect messages that still arrive.
    private void release(SessionHook hook) {
        try {
            hook.releasing(new BrokerSession(receiver));
        } catch (Throwable e) {
            TRACES.warn(LOG, "The hook of session '" + session().orElse("") + "' failed when it was released", e);
            hookFailure = e;
        }
    }

    public void requireHook() {
        if (hookFailure != null) {
            throw CountedFailure.handled(hookFailure);
        }
    }

    /** Reports all pending completions as lost. */
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
