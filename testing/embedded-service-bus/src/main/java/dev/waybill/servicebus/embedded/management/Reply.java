package dev.waybill.servicebus.embedded.management;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer: 200 with a body, or 204 without results. */
public record Reply(
        int status, String description, @Nullable Map<String, Object> body) {
    static Reply ok(Map<String, Object> body) {
        return new Reply(200, "OK", body);
    }

    static Reply ok() {
        return ok(Map.of());
    }

    static Reply nothing() {
        return new Reply(204, "No content", null);
    }
}
