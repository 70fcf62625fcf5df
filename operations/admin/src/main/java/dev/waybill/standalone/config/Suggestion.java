package dev.waybill.standalone.config;

import dev.waybill.message.BrokerNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Suggests the closest option, command or name. */
public final class Suggestion {
    private static final String NAME = "NAME";

    private Suggestion() {}

    static String option(Key wrong) {
        return Options.ALL.stream()
                .map(option -> like(option.pattern(), wrong))
                .min(Comparator.comparingInt(name -> distance(name, wrong.toString())))
                .orElseThrow();
    }

    static String below(Key key) {
        return Options.ALL.stream()
                .filter(option -> option.isBelow(key))
                .findFirst()
                .map(option -> like(option.pattern(), key))
                .orElseThrow();
    }

    /** The closest variable; the text says if a name is missing in it. */
    static String environment(String wrong) {
        List<String> words = List.of(wrong.split("_", -1));
        String nearest = Options.ALL.stream()
                .map(option -> variable(option.pattern(), words))
                .min(Comparator.comparingInt(name -> distance(name, wrong)))
                .orElseThrow();
        String meant = "did you mean " + nearest + "?";
        return List.of(nearest.split("_", -1)).contains(NAME)
                ? meant + " " + NAME + " stands for a name of yours, as MAIN in WAYBILL_DATABASE_MAIN_URL"
                : meant;
    }

    // Keeps the user's own name if the other words match.
    private static String variable(Key pattern, List<String> words) {
        List<String> segments = pattern.segments();
        int place = segments.indexOf(Option.ANY);
        boolean named = place >= 0 && place == segments.lastIndexOf(Option.ANY);
        String before = variable(segments.subList(0, Math.max(place, 0)));
        String after = variable(segments.subList(place + 1, segments.size()));
        int from = 1 + wordsOf(before);
        int to = words.size() - wordsOf(after);
        String name = named && from < to ? String.join("_", words.subList(from, to)) : NAME;
        return Environment.PREFIX + (place < 0 ? after : joined(before, name, after));
    }

    private static String variable(List<String> segments) {
        return segments.stream()
                .map(segment -> segment.equals(Option.ANY) ? NAME : Key.environmentName(segment))
                .collect(Collectors.joining("_"));
    }

    private static int wordsOf(String variable) {
        return variable.isEmpty() ? 0 : variable.split("_", -1).length;
    }

    private static String joined(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("_"));
    }

    private static String like(Key pattern, Key wrong) {
        var segments = new ArrayList<String>();
        for (int i = 0; i < pattern.segments().size(); i++) {
            String segment = pattern.segments().get(i);
            boolean named = segment.equals(Option.ANY);
            segments.add(
                    !named
                            ? segment
                            : i < wrong.segments().size() ? wrong.segments().get(i) : NAME);
        }
        return new Key(segments).toString();
    }

    /** The edit distance, with swapped neighbours as one edit. */
    public static int distance(String one, String other) {
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

    /** The end of a message about an unknown name; empty without candidates. */
    public static String among(List<String> names, String wrong) {
        return names.stream()
                .min(Comparator.<String>comparingInt(name -> distance(BrokerNames.key(name), BrokerNames.key(wrong)))
                        .thenComparingInt(name -> distance(name, wrong)))
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
    }
}
