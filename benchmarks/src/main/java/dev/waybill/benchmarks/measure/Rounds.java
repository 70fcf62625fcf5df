package dev.waybill.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats measurements. Two sides take turns, so that what drifts on the machine drifts for both. */
public final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

    private Rounds() {}

    /** One side, after warming up. */
    public static Spread of(String name, int rounds, Measurement measurement) throws Exception {
        for (int round = 0; round < warmUps(rounds); round++) {
            measurement.measure();
        }
        var values = new ArrayList<Double>();
        for (int round = 1; round <= rounds; round++) {
            values.add(measurement.measure());
            LOG.info("{} {}/{}: {}", name, round, rounds, Target.number(values.get(round - 1)));
        }
        return Spread.of(values);
    }

    /** Both sides in turn, A B A B, after warming up in the same way. */
    public static Pairs pairs(String name, int rounds, Measurement first, Measurement second) throws Exception {
        for (int round = 0; round < warmUps(rounds); round++) {
            first.measure();
            second.measure();
        }
        return pairsAsTheyAre(name, rounds, first, second);
    }

    /** The same of sides that warm up by themselves. */
    public static Pairs pairsAsTheyAre(String name, int rounds, Measurement first, Measurement second)
            throws Exception {
        var pairs = new Pairs(new ArrayList<>(), new ArrayList<>());
        for (int round = 1; round <= rounds; round++) {
            pairs.add(first.measure(), second.measure());
            LOG.info("{} {}/{}: {}", name, round, rounds, pairs.last());
        }
        return pairs;
    }

    // As many rounds again, because the compiler is still at work in the first ones, and takes a core of two for it.
    private static int warmUps(int rounds) {
        return rounds;
    }

    /** Takes one figure. */
    @FunctionalInterface
    public interface Measurement {
        /** One round. */
        double measure() throws Exception;
    }

    /** Two sides' rounds. */
    public record Pairs(List<Double> firsts, List<Double> seconds) {
        /** The first side alone. */
        public Spread first() {
            return Spread.of(firsts);
        }

        /** The second side alone. */
        public Spread second() {
            return Spread.of(seconds);
        }

        /** First divided by second, round by round. */
        public Spread ratio() {
            var ratios = new ArrayList<Double>();
            for (int i = 0; i < firsts.size(); i++) {
                ratios.add(firsts.get(i) / seconds.get(i));
            }
            return Spread.of(ratios);
        }

        private void add(double first, double second) {
            firsts.add(first);
            seconds.add(second);
        }

        private String last() {
            double first = firsts.get(firsts.size() - 1);
            double second = seconds.get(seconds.size() - 1);
            return Target.number(first) + " / " + Target.number(second) + " = " + Target.number(first / second);
        }
    }
}
