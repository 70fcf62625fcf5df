package dev.waybill.test.proof;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.test.jdbc.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One try of a handler at one message. Used by the handler's threads. */
final class Attempt {
    private final InboundMessage message;
    private final InboundMessage delivered;
    private final Disturbance disturbance;
    private final List<String> steps = Collections.synchronizedList(new ArrayList<>());
    private volatile @Nullable Session session;
    private volatile boolean handling;
    private volatile boolean failureInjected;
    private volatile boolean failureOutside;

    Attempt(InboundMessage message, int before, Disturbance disturbance) {
        this.message = message;
        delivered = Redelivered.of(message, before);
        this.disturbance = disturbance;
    }

    InboundMessage message() {
        return message;
    }

    InboundMessage delivered() {
        return delivered;
    }

    Disturbance disturbance() {
        return disturbance;
    }

    synchronized int step(String sql) {
        steps.add(sql);
        return steps.size();
    }

    List<String> steps() {
        synchronized (steps) {
            return List.copyOf(steps);
        }
    }

    boolean owns(Session other) {
        return session == other;
    }

    void begunOn(Session main) {
        session = main;
    }

    boolean isHandling() {
        return handling;
    }

    void handling(boolean now) {
        handling = now;
    }

    void failed(boolean outside) {
        failureInjected = true;
        failureOutside = outside;
    }

    boolean isFailureInjected() {
        return failureInjected;
    }

    boolean isFailureOutside() {
        return failureOutside;
    }
}
