package dev.waybill.outbox;

import dev.waybill.message.ContentId;
import dev.waybill.schema.SchemaName;
import java.time.Duration;

/** The notification channel by which writers wake relays after commits. Notifications have no payload. */
public final class WakeChannel {
    /**
     * A process sends at most one notification in this time. A later commit in this time sends none, so a woken relay polls
     * again until twice this time has passed.
     */
    public static final Duration INTERVAL = Duration.ofMillis(50);

    /** The limit of pg_notify; LISTEN truncates longer names. */
    private static final int LONGEST_NAME = 63;

    private static final String PREFIX = "waybill_";

    private WakeChannel() {}

    /** {@code waybill_} and the schema; for a schema with more than 55 characters, its start and a digest. */
    public static String of(SchemaName schema) {
        String name = PREFIX + schema;
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        String digest = ContentId.shortDigest(schema.value());
        return name.substring(0, LONGEST_NAME - digest.length() - 1) + '_' + digest;
    }
}
