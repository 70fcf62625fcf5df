package dev.waybill.servicebus.stress;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** All troubles, two or so at a time, each for a moment and again and again, by chance. */
final class Storm {
    private static final int FRONTS = 2;
    private static final double CHANCE = 0.3;

    private final EmbeddedServiceBus bus;
    private final Queues queues;
    private final Poison poison;
    private final Set<Trouble> raging = ConcurrentHashMap.newKeySet();
    private final Map<Trouble, List<FaultHandle>> handles = new EnumMap<>(Trouble.class);
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> fronts = new ArrayList<>();

    Storm(EmbeddedServiceBus bus, Queues queues, Poison poison, SplittableRandom random) {
        this.bus = bus;
        this.queues = queues;
        this.poison = poison;
        for (Trouble trouble : Trouble.values()) {
            handles.put(
                    trouble,
                    trouble.ways().stream().map(way -> rule(trouble, way)).toList());
        }
        for (int i = 0; i < FRONTS; i++) {
            var choices = new Random(random.nextLong());
            fronts.add(new Thread(() -> rage(choices), "front-" + i));
        }
    }

    void begin() {
        fronts.forEach(Thread::start);
    }

    /** Whether every trouble has hit something. */
    boolean hasShownEverything() {
        return hits().values().stream().allMatch(hits -> hits > 0);
    }

    /** How often each trouble has hit. */
    Map<Trouble, Integer> hits() {
        var hits = new TreeMap<Trouble, Integer>();
        handles.forEach((trouble, rules) ->
                hits.put(trouble, rules.stream().mapToInt(FaultHandle::hits).sum()));
        hits.put(Trouble.ENTITY_DELETED, queues.deletions());
        return hits;
    }

    /** Ends all trouble; queues that were deleted are there again. Idempotent. */
    void calm() throws InterruptedException {
        stop.countDown();
        for (Thread front : fronts) {
            front.join();
        }
        raging.clear();
    }

    private FaultHandle rule(Trouble trouble, Trouble.Way way) {
        return bus.faults()
                .at(way.point())
                .when(event -> raging.contains(trouble) && !(letsPass(way.action()) && poison.isIn(event)))
                .probability(CHANCE)
                .then(way.action());
    }

    // One rule per event: what is only delayed is refused no more.
    private static boolean letsPass(FaultAction action) {
        return action instanceof FaultAction.Delay || action instanceof FaultAction.StallReads;
    }

    // Whole decks, so that no trouble is left out for long.
    private void rage(Random random) {
        var deck = new ArrayList<>(List.of(Trouble.values()));
        try {
            while (stop.getCount() > 0) {
                Collections.shuffle(deck, random);
                for (Trouble trouble : deck) {
                    strike(trouble, random);
                    if (stop.await(random.nextInt(400), TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void strike(Trouble trouble, Random random) throws InterruptedException {
        int millis = random.nextInt(100, 600);
        if (trouble == Trouble.ENTITY_DELETED) {
            queues.deleteAndCreate(random, () -> stop.await(millis, TimeUnit.MILLISECONDS));
        } else if (raging.add(trouble)) {
            stop.await(millis, TimeUnit.MILLISECONDS);
            raging.remove(trouble);
        }
    }
}
