package dev.waybill.proof.plant;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One mistake in one file of Waybill: some text instead of another one that the file has once.
 *
 * @param name of the bug
 * @param file below the sources
 * @param find what stands there
 * @param replace what stands there with the mistake
 * @param nemeses that bring it to light
 * @param run what a run needs
 */
public record PlantedBug(String name, String file, String find, String replace, List<String> nemeses, Run run) {
    private static final Pattern FORM = Pattern.compile(
            "file: (\\S+)\\nnemesis: (\\S+)\\nmessages: (\\d+) over (\\d+) sessions\\n--- find\\n(.*)\\n--- replace\\n(.*?)\\n?",
            Pattern.DOTALL);

    static PlantedBug parse(String name, String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("The planted bug " + name + " has not the form " + FORM.pattern());
        }
        var run = new Run(Long.parseLong(form.group(3)), Integer.parseInt(form.group(4)));
        return new PlantedBug(
                name,
                form.group(1),
                form.group(5),
                form.group(6),
                List.of(form.group(2).split(",", -1)),
                run);
    }

    /** The file with the mistake. */
    String in(String source) {
        int at = source.indexOf(find);
        if (at < 0 || source.indexOf(find, at + 1) >= 0) {
            throw new IllegalStateException("The planted bug " + name + " does not fit " + file + " any more: "
                    + (at < 0 ? "the text is not there" : "the text is there twice"));
        }
        return source.substring(0, at) + replace + source.substring(at + find.length());
    }

    public long messages() {
        return run.messages();
    }

    public int sessions() {
        return run.sessions();
    }

    /** What a run needs. */
    record Run(long messages, int sessions) {}
}
