package dev.waybill.standalone.console.page.form;

import dev.waybill.standalone.console.access.Refusal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selected numbers in an address: {@code 3.17.42}. */
public final class SelectedIds {
    /** The largest selection. */
    private static final int MOST = 100;

    private SelectedIds() {}

    /** Parses ids; {@code things} names them in the refusal. */
    public static List<Long> of(String text, String things) {
        if (!text.matches("([0-9]{1,18}(\\.[0-9]{1,18})*)?")) {
            throw new Refusal(400, things + " have numbers.");
        }
        List<Long> ids = Stream.of(text.split("\\."))
                .filter(each -> !each.isEmpty())
                .map(Long::valueOf)
                .distinct()
                .toList();
        if (ids.size() > MOST) {
            throw new Refusal(400, "At most " + MOST + " can be selected.");
        }
        return ids;
    }

    public static String text(List<Long> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining("."));
    }
}
