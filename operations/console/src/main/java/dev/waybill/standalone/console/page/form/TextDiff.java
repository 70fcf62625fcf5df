package dev.waybill.standalone.console.page.form;

import dev.waybill.standalone.message.BodyText;
import java.util.ArrayList;
import java.util.List;

/** A line-by-line diff. */
final class TextDiff {
    /** Context lines. */
    private static final int AROUND = 3;

    /** The limit of compared pairs; longer texts count as replaced. */
    private static final long MOST_PAIRS = 4_000_000;

    private TextDiff() {}

    enum Kind {
        SAME,
        GONE,
        NEW,
        LEFT_OUT
    }

    /** An escaped line of the diff. */
    record Line(Kind kind, String text) {
        public String sign() {
            return switch (kind) {
                case SAME, LEFT_OUT -> " ";
                case GONE -> "-";
                case NEW -> "+";
            };
        }

        public String word() {
            return switch (kind) {
                case SAME -> "same";
                case LEFT_OUT -> "left out";
                case GONE -> "gone";
                case NEW -> "new";
            };
        }
    }

    /** Keeps common lines at both ends, and computes the smallest diff between. */
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

    /** The lengths of common subsequences of the remaining lines. */
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
