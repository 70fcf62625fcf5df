package dev.waybill.outbox;

import dev.waybill.message.ContentId;
import dev.waybill.schema.SchemaName;
import java.time.Duration;

/** The notification channel on which writers tell relays that rows have been committed. Notifications carry no payload. */
public final class WakeChannel {
    /**
     * A process sends no more than one notification in this time. Commits that follow a notification so soon are not told:
     * a relay that was woken looks again until twice this time has passed.
     */
    public static final Duration INTERVAL = Duration.ofMillis(50);

    /** PostgreSQL refuses longer names in pg_notify, and cuts them in LISTEN. */
    private static final int LONGEST_NAME = 63;

    private static final String PREFIX = "waybill_";

    private WakeChannel() {}

    /** The channel's name: {@code waybill_} and the schema; of a schema with more than 55 characters, the start and a digest. */
    public static String of(SchemaName schema) {
        String name = PREFIX + schema;
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        String digest = ContentId.shortDigest(schema.value());
        return name.substring(0, LONGEST_NAME - digest.length() - 1) + '_' + digest;
    }
}
