package dev.waybill.inbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A session that delivers what the test scripted and writes down how it was settled. */
final class ScriptedSession implements MessageSession {
    private final Deque<InboundMessage> messages;
    private final List<String> log = new ArrayList<>();
    private Runnable onSettle = () -> {};

    ScriptedSession(InboundMessage... messages) {
        this.messages = new ArrayDeque<>(Arrays.asList(messages));
    }

    void onSettle(Runnable action) {
        onSettle = action;
    }

    List<String> log() {
        return log;
    }

    @Override
    public String id() {
        return "s";
    }

    @Override
    public Optional<InboundMessage> receive(Duration atMost) {
        return Optional.ofNullable(messages.poll());
    }

    @Override
    public void complete(InboundMessage message) {
        onSettle.run();
        log.add("complete " + message.id());
    }

    @Override
    public void deadLetter(InboundMessage message, String reason, String description) {
        onSettle.run();
        log.add("dead-letter " + message.id() + " " + reason);
    }

    @Override
    public void close() {
        log.add("close");
    }
}
