package dev.waybill.inbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A receiver that delivers what the test scripted and writes down how it was settled. */
public final class ScriptedReceiver implements Receiver {
    private final Optional<String> session;
    private final Deque<InboundMessage> messages;
    private final Map<Long, InboundMessage> deferred = new HashMap<>();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private Runnable onSettle = () -> {};
    private Runnable onReceive = () -> {};
    private CompletionStage<@Nullable Void> renewal = CompletableFuture.completedFuture(null);
    private @Nullable Error noRenewal;
    private int renewals;
    private String description = "";
    private String late = "";
    private boolean ends;
    private boolean ended;
    private Runnable lost = () -> {};

    private ScriptedReceiver(Optional<String> session, InboundMessage... messages) {
        this.session = session;
        this.messages = new ArrayDeque<>(Arrays.asList(messages));
    }

    public static ScriptedReceiver ofSession(InboundMessage... messages) {
        return new ScriptedReceiver(Optional.of("s"), messages);
    }

    /** Of a session of another name, without messages. */
    public static ScriptedReceiver ofSession(String session) {
        return new ScriptedReceiver(Optional.of(session));
    }

    public static ScriptedReceiver ofQueue(InboundMessage... messages) {
        return new ScriptedReceiver(Optional.empty(), messages);
    }

    /** These lie deferred on the broker. */
    ScriptedReceiver deferring(InboundMessage... aside) {
        for (InboundMessage message : aside) {
            deferred.put(message.sequenceNumber(), message);
        }
        return this;
    }

    void onSettle(Runnable action) {
        onSettle = action;
    }

    /** The first who asks for this message is told that there is none yet. */
    void arrivesLate(String id) {
        late = id;
    }

    /** The same, and whoever asks again hears that the receiver has ended. */
    void endsBefore(String id) {
        late = id;
        ends = true;
    }

    /** Once, when the first messages have been handed out. */
    void onReceive(Runnable action) {
        onReceive = action;
    }

    public void renewsWith(CompletionStage<@Nullable Void> outcome) {
        renewal = outcome;
        noRenewal = null;
    }

    /** A renewal throws, in place of a stage that fails. */
    public void failsToRenew(Error thrown) {
        noRenewal = thrown;
    }

    public int renewals() {
        return renewals;
    }

    public void lose() {
        lost.run();
    }

    public List<String> log() {
        return log;
    }

    @Override
    public Optional<String> session() {
        return session;
    }

    @Override
    public Optional<InboundMessage> receive(Duration atMost) {
        if (ended) {
            throw new LockLostException("the receiver ended", null);
        }
        @Nullable InboundMessage next = messages.peek();
        if (next != null && next.id().equals(late)) {
            late = "";
            ended = ends;
            return Optional.empty();
        }
        return Optional.ofNullable(messages.poll());
    }

    @Override
    public List<InboundMessage> receive(int most, Duration atMost) {
        var batch = new ArrayList<InboundMessage>();
        while (batch.size() < most && !messages.isEmpty()) {
            batch.add(messages.poll());
        }
        Runnable action = onReceive;
        onReceive = () -> {};
        action.run();
        return batch;
    }

    @Override
    public void stopReceiving() {}

    @Override
    public Optional<InboundMessage> receiveDeferred(long sequenceNumber) {
        return Optional.ofNullable(deferred.get(sequenceNumber));
    }

    @Override
    public CompletionStage<@Nullable Void> complete(InboundMessage message) {
        settle("complete " + message.id());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void abandon(InboundMessage message) {
        settle("abandon " + message.id());
    }

    @Override
    public void defer(InboundMessage message) {
        settle("defer " + message.id());
    }

    /** Of the last dead letter. */
    String description() {
        return description;
    }

    @Override
    public void deadLetter(InboundMessage message, String reason, String description) {
        this.description = description;
        settle("dead-letter " + message.id() + " " + reason);
    }

    private void settle(String entry) {
        onSettle.run();
        log.add(entry);
    }

    @Override
    public CompletionStage<@Nullable Void> renewLock(@Nullable InboundMessage message) {
        renewals++;
        if (noRenewal != null) {
            throw noRenewal;
        }
        return renewal;
    }

    @Override
    public void whenLost(Runnable listener) {
        lost = listener;
    }

    @Override
    public void close() {
        log.add("close");
    }
}
