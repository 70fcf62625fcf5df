package dev.waybill.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats measurements. Two sides take turns, so that what drifts on the machine drifts for both. */
public final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

    /** Of the time; what is left moves a figure by no more than the machine does. */
    private static final double RESTING_SHARE = 0.02;

    /** For each round that is measured. */
    private static final int MOST_WARM_UPS = 3;

    private Rounds() {}

    /** One side, after warming up. */
    public static Spread of(String name, int rounds, Measurement measurement) throws Exception {
        warmUp(rounds, measurement);
        var values = new ArrayList<Double>();
        for (int round = 1; round <= rounds; round++) {
            values.add(measurement.measure());
            LOG.info("{} {}/{}: {}", name, round, rounds, Target.number(values.get(round - 1)));
        }
        return Spread.of(values);
    }

    /** Both sides in turn, A B A B, after warming up in the same way. */
    public static Pairs pairs(String name, int rounds, Measurement first, Measurement second) throws Exception {
        warmUp(rounds, () -> {
            first.measure();
            return second.measure();
        });
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

    // As many rounds again, and then until the compiler rests: it takes a core of two. A single round is not meant to
    // say anything.
    private static void warmUp(int rounds, Measurement round) throws Exception {
        var compiler = new CompilerWatch(RESTING_SHARE);
        int most = rounds == 1 ? 1 : MOST_WARM_UPS * rounds;
        boolean rested = false;
        for (int done = 0; done < most && !(rested && done >= rounds); done++) {
            round.measure();
            rested = compiler.hasRested();
        }
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
