package dev.waybill.servicebus.stress;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * Queues that may be deleted and made anew. The broker's journal outlives a queue, so it is known to the message what each
 * life of a queue has stored.
 */
final class Queues {
    private static final Duration WINDOW = Duration.ofHours(1);

    private final EmbeddedServiceBus bus;
    private final List<String> names;

    /** How many messages had been stored when each life of a queue began. */
    private final Map<String, List<Integer>> births = new HashMap<>();

    private int deletions;

    Queues(EmbeddedServiceBus bus, List<String> names) {
        this.bus = bus;
        this.names = names;
        names.forEach(this::create);
    }

    /** Nothing is stored between the two. */
    synchronized void deleteAndCreate(Random random, Pause pause) throws InterruptedException {
        String name = names.get(random.nextInt(names.size()));
        bus.delete(name);
        deletions++;
        pause.take();
        create(name);
    }

    synchronized int deletions() {
        return deletions;
    }

    /** The messages that each life of a queue has stored, in order. */
    synchronized List<List<String>> lives(String name) {
        List<String> ids = bus.journal(name).stored().stream()
                .map(Stored::messageId)
                .map(Objects::requireNonNull)
                .toList();
        List<Integer> bounds = new ArrayList<>(births.getOrDefault(name, List.of()));
        bounds.add(ids.size());
        var lives = new ArrayList<List<String>>();
        for (int i = 0; i + 1 < bounds.size(); i++) {
            lives.add(ids.subList(bounds.get(i), bounds.get(i + 1)));
        }
        return lives;
    }

    /** Sessions and their messages in the order in which each was first stored. */
    Map<String, List<String>> firstArrivals(String name) {
        var arrivals = new HashMap<String, Set<String>>();
        for (Stored stored : bus.journal(name).stored()) {
            arrivals.computeIfAbsent(Objects.requireNonNull(stored.sessionId()), first -> new LinkedHashSet<>())
                    .add(Objects.requireNonNull(stored.messageId()));
        }
        var lists = new HashMap<String, List<String>>();
        arrivals.forEach((session, ids) -> lists.put(session, List.copyOf(ids)));
        return lists;
    }

    int arrived(String name) {
        var ids = new HashSet<String>();
        lives(name).forEach(ids::addAll);
        return ids.size();
    }

    private void create(String name) {
        births.computeIfAbsent(name, first -> new ArrayList<>())
                .add(bus.journal(name).storedCount());
        bus.createQueue(name, queue -> queue.requiresSession().duplicateDetection(WINDOW));
    }

    /** How long a queue is missing. */
    @FunctionalInterface
    interface Pause {
        void take() throws InterruptedException;
    }
}
