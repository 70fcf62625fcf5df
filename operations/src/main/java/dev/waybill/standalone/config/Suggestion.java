package dev.waybill.standalone.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Suggests the option, the command or the name that was probably meant. */
public final class Suggestion {
    private Suggestion() {}

    static String option(Key wrong) {
        return Options.ALL.stream()
                .map(option -> like(option.pattern(), wrong))
                .min(Comparator.comparingInt(name -> distance(name, wrong.toString())))
                .orElseThrow();
    }

    /** The first of the options below a key. */
    static String below(Key key) {
        return Options.ALL.stream()
                .filter(option -> option.isBelow(key))
                .findFirst()
                .map(option -> like(option.pattern(), key))
                .orElseThrow();
    }

    static String environment(String wrong) {
        return Options.ALL.stream()
                .map(option -> Environment.PREFIX
                        + String.join(
                                "_",
                                option.pattern().segments().stream()
                                        .map(segment ->
                                                segment.equals(Option.ANY) ? "NAME" : Key.environmentName(segment))
                                        .toList()))
                .min(Comparator.comparingInt(name -> distance(name, wrong)))
                .orElseThrow();
    }

    // The user's own names, where the pattern has one in the same place.
    private static String like(Key pattern, Key wrong) {
        var segments = new ArrayList<String>();
        for (int i = 0; i < pattern.segments().size(); i++) {
            String segment = pattern.segments().get(i);
            boolean named = segment.equals(Option.ANY);
            segments.add(
                    !named
                            ? segment
                            : i < wrong.segments().size() ? wrong.segments().get(i) : "NAME");
        }
        return new Key(segments).toString();
    }

    /** Letters to add, take away, replace or swap with their neighbour. */
    static int distance(String one, String other) {
        int[][] cost = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, one, other, i, j);
            }
        }
        return cost[one.length()][other.length()];
    }

    private static int cheapest(int[][] cost, String one, String other, int i, int j) {
        int replaced = cost[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }

    /** The end of a sentence about a wrong name: the name that comes nearest to it; empty if there are no names. */
    public static String among(List<String> names, String wrong) {
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(name, wrong)))
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
    }
}
