package dev.waybill.test.proof;

import dev.waybill.inbox.InboundMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One delivery of all messages, from the tables as they were at the beginning. */
final class Run {
    private static final int MOST_ATTEMPTS = 6;
    private static final int MOST_THREADS = 4;

    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "waybill-proof-timer");
        thread.setDaemon(true);
        return thread;
    });

    private final Terms terms;
    private final Tables tables;
    private final OutsideWork outside;
    private final Deliveries deliveries;
    private final Disturbance disturbance;
    private final Map<String, String> fates = new ConcurrentHashMap<>();
    private final Map<String, Integer> ends = new ConcurrentHashMap<>();
    private final Map<String, List<String>> steps = new ConcurrentHashMap<>();
    private HandlerProcess process;
    private String survivors = "";
    private @Nullable Fate disturbed;
    private boolean failedOutside;

    Run(Terms terms, Tables tables, OutsideWork outside, String consumer, Disturbance disturbance) {
        this.terms = terms;
        this.tables = tables;
        this.outside = outside;
        this.disturbance = disturbance;
        deliveries = new Deliveries(terms, consumer, outside);
        tables.restore();
        terms.beforeEachRun().run();
        process = new HandlerProcess(terms, outside, Lockstep.FREE);
    }

    RunResult go() throws InterruptedException {
        if (disturbance.kind() == Disturbance.Kind.SIDE_BY_SIDE) {
            sideBySide();
        } else {
            deliverAll(order());
        }
        return new RunResult(
                disturbance,
                tables.content(),
                fates,
                steps,
                survivors,
                new RunResult.Attempt(disturbed, failedOutside));
    }

    private List<InboundMessage> order() {
        if (disturbance.kind() != Disturbance.Kind.ANOTHER_ORDER) {
            return terms.messages();
        }
        var sessions = new ArrayList<>(sessions(terms.messages()));
        Collections.reverse(sessions);
        return sessions.stream().flatMap(List::stream).toList();
    }

    /** Messages by session; each message without a session is a group of its own. */
    static Collection<List<InboundMessage>> sessions(List<InboundMessage> messages) {
        var sessions = new LinkedHashMap<String, List<InboundMessage>>();
        for (InboundMessage message : messages) {
            sessions.computeIfAbsent(session(message), key -> new ArrayList<>()).add(message);
        }
        return sessions.values();
    }

    private static String session(InboundMessage message) {
        return message.session().map(session -> "s" + session).orElse("m" + message.id());
    }

    private void deliverAll(List<InboundMessage> order) {
        List<InboundMessage> left = order;
        int idle = 0;
        while (!left.isEmpty() && idle < MOST_ATTEMPTS) {
            List<InboundMessage> later = deliverOnce(left);
            idle = later.size() < left.size() ? 0 : idle + 1;
            left = later;
        }
    }

    private List<InboundMessage> deliverOnce(List<InboundMessage> messages) {
        var waiting = new HashSet<String>();
        var later = new ArrayList<InboundMessage>();
        for (InboundMessage message : messages) {
            Fate fate = waiting.contains(session(message)) ? Fate.BEHIND : deliver(message);
            fates.put(message.id(), fate.text());
            if (fate.kind() == Fate.Kind.LATER) {
                waiting.add(session(message));
                later.add(message);
            }
        }
        return later;
    }

    private Fate deliver(InboundMessage message) {
        Fate fate = Fate.DONE;
        for (int attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
            boolean disturb = disturbed == null && message.id().equals(disturbance.message());
            fate = disturb ? disturbedAttempt(message) : attempt(message, Disturbance.NONE);
            boolean ended = process.isEnded();
            if (process.isHung()) {
                fate = Fate.hung(terms.subject().timeout());
                process = new HandlerProcess(terms, outside, Lockstep.FREE);
                break;
            } else if (ended) {
                process = new HandlerProcess(terms, outside, Lockstep.FREE);
                ends.merge(message.id(), 1, Integer::sum);
            } else if (fate.isFinal() || fate.kind() == Fate.Kind.LATER) {
                break;
            }
        }
        return fate;
    }

    private Fate disturbedAttempt(InboundMessage message) {
        boolean rollsBack = disturbance.kind() != Disturbance.Kind.END_AFTER_COMMIT;
        Content before = tables.content();
        Fate fate = attempt(message, disturbance);
        if (rollsBack && !fate.isFinal()) {
            survivors = tables.content().tablesAgainst(before);
        }
        disturbed = fate;
        return fate;
    }

    private Fate attempt(InboundMessage message, Disturbance itsOwn) {
        var attempt = new Attempt(message, ends.getOrDefault(message.id(), 0), itsOwn);
        HandlerProcess current = process;
        ScheduledFuture<?> limit =
                TIMER.schedule(current::cutHanging, terms.subject().timeout().toMillis(), TimeUnit.MILLISECONDS);
        Fate fate = deliveries.deliver(current, attempt);
        limit.cancel(false);
        steps.putIfAbsent(message.id(), attempt.steps());
        failedOutside |= attempt.isFailureOutside();
        return fate;
    }

    private void sideBySide() throws InterruptedException {
        var lockstep = new Lockstep();
        process = new HandlerProcess(terms, outside, lockstep);
        var shares = new ArrayList<List<InboundMessage>>();
        for (List<InboundMessage> session : sessions(terms.messages())) {
            if (shares.size() < MOST_THREADS) {
                shares.add(new ArrayList<>(session));
            } else {
                shares.get(shares.size() - 1).addAll(session);
            }
        }
        List<InboundMessage> later = Collections.synchronizedList(new ArrayList<>());
        var threads = new ArrayList<Thread>();
        for (List<InboundMessage> share : shares) {
            var thread = new Thread(
                    () -> {
                        try {
                            later.addAll(deliverOnce(share));
                        } finally {
                            lockstep.leave(Thread.currentThread());
                        }
                    },
                    "waybill-proof-" + threads.size());
            lockstep.join(thread);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        deliverAll(List.copyOf(later));
    }
}
