package dev.waybill.proof.nemesis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Lets nemeses strike, one after the other on each front, in an order that the seed decides. */
public final class Schedule<S> {
    private static final long LEAST_REST_MILLIS = 200;

    private final Stage stage;
    private final List<Nemesis> nemeses;
    private final Duration longestRest;
    private final Function<String, S> begun;
    private final BiConsumer<S, String> ended;
    private final List<Thread> fronts = new ArrayList<>();

    /**
     * Strikes at once.
     *
     * @param begun hears of each strike
     * @param ended hears of its end, and what became of it
     */
    public Schedule(
            Stage stage,
            List<Nemesis> nemeses,
            long seed,
            Fronts fronts,
            Function<String, S> begun,
            BiConsumer<S, String> ended) {
        this.stage = stage;
        this.nemeses = List.copyOf(nemeses);
        this.longestRest = fronts.longestRest();
        this.begun = begun;
        this.ended = ended;
        for (int i = 0; i < (nemeses.isEmpty() ? 0 : fronts.count()); i++) {
            long own = seed + i;
            var front = new Thread(() -> strike(own), "front-" + i);
            this.fronts.add(front);
            front.start();
        }
    }

    // Whole decks, so that no nemesis is left out for long.
    private void strike(long seed) {
        var random = new SplittableRandom(seed);
        while (!stage.isCalm()) {
            var deck = new ArrayList<>(nemeses);
            Collections.shuffle(deck, new Random(random.nextLong()));
            for (Nemesis nemesis : deck) {
                if (stage.isCalm() || !strike(nemesis, random.split(), random)) {
                    return;
                }
            }
        }
    }

    private boolean strike(Nemesis nemesis, SplittableRandom own, SplittableRandom pauses) {
        S strike = begun.apply(nemesis.name());
        try {
            ended.accept(strike, nemesis.strike().on(stage, own));
            stage.last(Duration.ofMillis(pauses.nextLong(LEAST_REST_MILLIS, longestRest.toMillis())));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception e) {
            ended.accept(strike, "not done: " + e);
            return true;
        }
    }

    /** Returns when each trouble is over. */
    public void awaitEnd() throws InterruptedException {
        for (Thread front : fronts) {
            front.join();
        }
    }

    /**
     * How dense the strikes are.
     *
     * @param count how many nemeses strike side by side
     * @param longestRest between two strikes of a front
     */
    public record Fronts(int count, Duration longestRest) {}
}
