package dev.waybill.benchmarks;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text that people read: a file without its code, line by line as it stands there. */
final class Prose {
    /** Stands where a sentence cannot go on. */
    private static final String END = "\0";

    private static final String ENDS = END + ".!?:;";
    private static final String BETWEEN_SENTENCES = " \t\n\"'()*";
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern LATE_NAME = Pattern.compile("\\b(What|Who|Whoever|Whatever)\\b");
    private static final Pattern END_OF_SENTENCE = Pattern.compile("([.!?])[\"')*]*(?=[\\s\0]|$)|\0");

    private final String text;

    private Prose(String text) {
        this.text = text;
    }

    /** The comments of a Java file. */
    static Prose ofComments(String source) {
        return new Prose(new JavaComments(source)
                .withoutCode()
                .replaceAll("/\\*+|\\*/", END)
                .replaceAll("(?m)^[ \t]*(\\*|//)[ \t]*$", END)
                .replaceAll("(?m)^[ \t]*\\*", "")
                .replaceAll("//+", "")
                .replaceAll("\n[ \t]*(?=\n)", "\n" + END)
                .replaceAll("</?(p|li|ul|ol|pre|h\\d)>", END)
                .replaceAll("</?\\w+>", "")
                .replaceAll("(?m)^[ \t]*@((param|throws)[ \t]+\\S+|\\w+)", END));
    }

    /** The sentences of a page in Markdown; not its titles and its blocks of code. */
    static Prose ofPage(String page) {
        return new Prose(CODE_BLOCK
                .matcher(page)
                .replaceAll(block -> END + block.group().replaceAll("[^\n]", ""))
                .replaceAll("(?m)^#+ .*$", END)
                .replaceAll("\n[ \t]*(?=\n)", "\n" + END)
                .replaceAll("(?m)^[ \t>]*([-*+]|\\d+\\.)[ \t]", END)
                .replace("|", END)
                .replaceAll("</?\\w+>", END));
    }

    /** The lines of sentences, no questions, that begin with "what" or "who" and not with the thing that they are about. */
    List<Integer> linesOfLateNames() {
        return LATE_NAME
                .matcher(text)
                .results()
                .filter(found -> isFirst(found.start()) && !isQuestion(found.end()))
                .map(this::line)
                .toList();
    }

    private boolean isFirst(int word) {
        int before = word - 1;
        while (before >= 0 && BETWEEN_SENTENCES.indexOf(text.charAt(before)) >= 0) {
            before--;
        }
        return before < 0 || (ENDS.indexOf(text.charAt(before)) >= 0 && !isPartOfName(before, word));
    }

    private boolean isPartOfName(int dot, int word) {
        return dot == word - 1 && text.charAt(dot) == '.';
    }

    private boolean isQuestion(int from) {
        Matcher end = END_OF_SENTENCE.matcher(text);
        return end.find(from) && "?".equals(end.group(1));
    }

    private int line(MatchResult found) {
        return (int) text.substring(0, found.end()).lines().count();
    }
}
