package dev.waybill.deadletter;

import dev.waybill.outbox.Headers;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** What is left of application properties when what a message says is taken out. */
final class Redaction {
    private static final String OURS = "waybill-";

    private Redaction() {}

    static @Nullable String properties(@Nullable String headers) {
        if (headers == null) {
            return null;
        }
        var left = new LinkedHashMap<>(Headers.read(headers));
        left.keySet().removeIf(name -> !name.startsWith(OURS));
        return left.isEmpty() ? null : Headers.write(left);
    }
}
