package dev.waybill.standalone.cli.command;

import dev.waybill.schema.Page;
import java.util.Map;
import picocli.CommandLine.Option;

/** The length of a list. No verb reads a whole list, which may exceed the memory. */
public final class ListOptions {
    @Option(
            names = "--most",
            defaultValue = "50",
            converter = ArgumentConverters.RowLimit.class,
            paramLabel = "N",
            description = "How many: 1 to " + ArgumentConverters.MOST_ROWS + " (50). How many more there are is said.")
    private int most;

    public int most() {
        return most;
    }

    public void print(Output output, Page<Map<String, Object>> page, String none) {
        print(output, page, none, "");
    }

    /** Prints a list that {@code --after} continues. */
    public void printInOrder(Output output, Page<Map<String, Object>> page, String none) {
        print(
                output,
                page,
                none,
                page.rows().isEmpty()
                        ? ""
                        : "; --after " + page.rows().get(page.rows().size() - 1).get("id") + " goes on behind these");
    }

    private void print(Output output, Page<Map<String, Object>> page, String none, String onward) {
        output.table(page.rows(), none);
        if (page.more() > 0) {
            String wider =
                    most < ArgumentConverters.MOST_ROWS ? "; --most N shows up to " + ArgumentConverters.MOST_ROWS : "";
            output.note("There are " + page.more() + " more than these "
                    + page.rows().size() + wider + onward);
        }
    }
}
