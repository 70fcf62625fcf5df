package dev.waybill.standalone.console.page.form;

import dev.waybill.standalone.message.BodyText;
import java.util.ArrayList;
import java.util.List;

/** The difference of two texts, line by line. */
final class TextDiff {
    /** Lines beside a difference. */
    private static final int AROUND = 3;

    /** Pairs of lines that are compared; longer texts are shown as wholly replaced. */
    private static final long MOST_PAIRS = 4_000_000;

    private TextDiff() {}

    /** A line: before and after, or in one of them. */
    enum Kind {
        SAME,
        GONE,
        NEW,
        LEFT_OUT
    }

    /**
     * A line of the difference.
     *
     * @param text with escapes in place of what a reader would obey
     */
    record Line(Kind kind, String text) {
        /** The sign in front of it. */
        public String sign() {
            return switch (kind) {
                case SAME, LEFT_OUT -> " ";
                case GONE -> "-";
                case NEW -> "+";
            };
        }

        /** For programs that read it aloud, and for its colour. */
        public String word() {
            return switch (kind) {
                case SAME -> "same";
                case LEFT_OUT -> "left out";
                case GONE -> "gone";
                case NEW -> "new";
            };
        }
    }

    /** The beginning lines, the end lines, and in between the fewest that are gone or new. */
    static List<Line> between(List<String> before, List<String> after) {
        int head = 0;
        while (head < Math.min(before.size(), after.size()) && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(before.size(), after.size()) - head
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        var lines = new ArrayList<Line>();
        before.subList(0, head).forEach(line -> add(lines, Kind.SAME, line));
        middle(lines, before.subList(head, before.size() - tail), after.subList(head, after.size() - tail));
        before.subList(before.size() - tail, before.size()).forEach(line -> add(lines, Kind.SAME, line));
        return folded(lines);
    }

    private static void add(List<Line> lines, Kind kind, String text) {
        lines.add(new Line(kind, BodyText.escaped(text)));
    }

    private static void middle(List<Line> lines, List<String> before, List<String> after) {
        int[][] common = (long) before.size() * after.size() > MOST_PAIRS ? new int[0][0] : common(before, after);
        int i = 0;
        int j = 0;
        while (common.length > 0 && i < before.size() && j < after.size()) {
            if (before.get(i).equals(after.get(j))) {
                add(lines, Kind.SAME, before.get(i));
                i++;
                j++;
            } else if (common[i + 1][j] >= common[i][j + 1]) {
                add(lines, Kind.GONE, before.get(i++));
            } else {
                add(lines, Kind.NEW, after.get(j++));
            }
        }
        before.subList(i, before.size()).forEach(line -> add(lines, Kind.GONE, line));
        after.subList(j, after.size()).forEach(line -> add(lines, Kind.NEW, line));
    }

    /** How many lines what follows has in common. */
    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private static List<Line> folded(List<Line> lines) {
        var shown = new boolean[lines.size()];
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).kind != Kind.SAME) {
                for (int near = Math.max(0, i - AROUND); near <= Math.min(lines.size() - 1, i + AROUND); near++) {
                    shown[near] = true;
                }
            }
        }
        var folded = new ArrayList<Line>();
        int left = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (!shown[i]) {
                left++;
                continue;
            }
            leaveOut(folded, left);
            left = 0;
            folded.add(lines.get(i));
        }
        leaveOut(folded, left);
        return folded;
    }

    private static void leaveOut(List<Line> folded, int left) {
        if (left > 0) {
            folded.add(new Line(Kind.LEFT_OUT, "… " + left + (left == 1 ? " line" : " lines") + " as before"));
        }
    }
}
