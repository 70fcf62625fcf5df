package dev.waybill.deadletter;

import dev.waybill.outbox.Headers;
import dev.waybill.outbox.WireContract;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.tools.json.JSONArray;
import org.jooq.tools.json.JSONParser;
import org.jooq.tools.json.ParseException;
import org.jspecify.annotations.Nullable;

/** The application properties of a copy: those of the dead letter, and what the consumer is to know of its past. */
final class RedriveHeaders {
    private static final int LONGEST_HISTORY = 5;
    private static final int LONGEST_REASON = 100;

    /** Beside a body so large, the history might be what makes the message too large. */
    private static final int LARGE = 200 * 1024;

    private RedriveHeaders() {}

    static String of(Past past, @Nullable String headers, int bodyBytes, Instant now) {
        var properties = new LinkedHashMap<>(headers == null ? Map.<String, Object>of() : Headers.read(headers));
        properties.put(WireContract.REDRIVE_COUNT, past.redrives + 1L);
        @Nullable String target = past.target();
        if (target == null) {
            properties.remove(WireContract.REDRIVE_TARGET);
        } else {
            properties.put(WireContract.REDRIVE_TARGET, target);
        }
        if (bodyBytes > LARGE) {
            properties.remove(WireContract.REDRIVE_HISTORY);
        } else {
            properties.put(
                    WireContract.REDRIVE_HISTORY, history(properties.get(WireContract.REDRIVE_HISTORY), past, now));
        }
        return Headers.write(properties);
    }

    private static String history(@Nullable Object before, Past past, Instant now) {
        List<Object> entries = new ArrayList<>(before instanceof String json ? read(json) : List.of());
        var entry = new LinkedHashMap<String, Object>();
        entry.put("entity", past.entity);
        entry.put("reason", past.reason.substring(0, Math.min(past.reason.length(), LONGEST_REASON)));
        entry.put("enqueued", past.enqueuedAt.toString());
        entry.put("deliveries", past.deliveries);
        entry.put("redriven", now.toString());
        entries.add(entry);
        return JSONArray.toJSONString(entries.subList(Math.max(0, entries.size() - LONGEST_HISTORY), entries.size()));
    }

    private static List<?> read(String json) {
        try {
            return new JSONParser().parse(json) instanceof List<?> list ? list : List.of();
        } catch (ParseException e) {
            return List.of();
        }
    }

    /** What a message has met. */
    record Past(String entity, String reason, Instant enqueuedAt, long deliveries, int redrives) {
        /** The one subscription that a re-drive of it is meant for. */
        @Nullable String target() {
            int at = entity.indexOf(DeadLetterEntity.SUBSCRIPTIONS);
            return at < 0 ? null : entity.substring(at + DeadLetterEntity.SUBSCRIPTIONS.length());
        }
    }
}
