package dev.waybill.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with commands for an operator, in blocks of {@code console}. A comment {@code <!-- run: WORD -->} before a block marks it
 * for a test, which runs it in the situation of that word.
 */
public final class ConsolePage {
    private static final Pattern COMMAND =
            Pattern.compile("\\$ (?:waybill-relay|java -jar [\\w./-]*waybill-relay\\.jar) (.*)");
    private static final Pattern MARK = Pattern.compile("<!-- run: ([a-z-]+) -->");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private ConsolePage() {}

    /** All commands of a page, in order, each with the mark of its block. */
    public static List<Step> steps(Path page) {
        var steps = new ArrayList<Step>();
        String mark = "";
        boolean console = false;
        for (String line : lines(page)) {
            Matcher marked = MARK.matcher(line);
            Matcher command = COMMAND.matcher(line);
            if (marked.matches()) {
                mark = marked.group(1);
            } else if (line.startsWith("```")) {
                mark = console ? "" : mark;
                console = line.equals("```console");
            } else if (console && command.matches()) {
                steps.add(new Step(mark, command.group(1), new ArrayList<>()));
            } else if (console && !line.startsWith("$ ") && !steps.isEmpty()) {
                steps.get(steps.size() - 1).printed.add(line.strip().equals("…") ? "…" : line.stripTrailing());
            }
        }
        return steps;
    }

    private static List<String> lines(Path page) {
        try {
            return Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A command, without what a shell makes of its end. */
    public static String[] words(String command) {
        var words = new ArrayList<String>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            boolean quoted = matcher.group(3) == null;
            String word = quoted ? matcher.group(1) == null ? matcher.group(2) : matcher.group(1) : matcher.group(3);
            if (!quoted && List.of("#", "|", ">", "&", "&&").contains(word)) {
                break;
            }
            words.add(word);
        }
        return words.toArray(String[]::new);
    }

    /**
     * A command and the lines that the page says it prints.
     *
     * @param mark of its block; empty if it is not to be run
     */
    public record Step(String mark, String command, List<String> printed) {
        /** Matches what is printed: a line {@code …} stands for any lines, {@code …} in a line for any text. */
        public Pattern expected() {
            var expression = new StringBuilder();
            for (String line : printed) {
                if (line.equals("…")) {
                    expression.append("(?s:.*)");
                } else {
                    String quoted = Pattern.quote(line).replace("…", "\\E.*?\\Q");
                    expression.append(quoted.replaceAll(" +", "\\\\E +\\\\Q")).append(" *\n");
                }
            }
            return Pattern.compile("(?s:" + expression + ".*)", Pattern.DOTALL);
        }
    }
}
