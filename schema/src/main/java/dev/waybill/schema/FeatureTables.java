package dev.waybill.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps a table to its feature, by the prefix of its name. */
final class FeatureTables {
    private static final Map<String, String> FEATURES = new LinkedHashMap<>();

    static {
        FEATURES.put("dead_letter", "dead-letters");
        FEATURES.put("outbox_claim", "claims");
        FEATURES.put("outbox_published", "retention");
        FEATURES.put("outbox_replay", "retention");
        FEATURES.put("message_event", "events");
        FEATURES.put("console_session", "console");
        FEATURES.put("outbox_sample", "console");
        FEATURES.put("inbox_deferral", "inbox-deferral");
        FEATURES.put("inbox_resumption", "inbox-deferral");
        FEATURES.put("inbox_state", "inbox-state");
        FEATURES.put("inbox_response", "idempotency");
        FEATURES.put("inbox_key_owner", "idempotency");
        FEATURES.put("inbox_", "inbox");
        FEATURES.put("outbox_", "outbox");
        FEATURES.put("relay", "outbox");
    }

    private FeatureTables() {}

    static String featureOf(String table) {
        return FEATURES.entrySet().stream()
                .filter(each -> table.startsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("base");
    }
}
