package dev.waybill.message;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names and limits on which writers, relays and consumers agree. The names are those of application properties. */
public final class WireContract {
    /** The logical id, by which the inbox recognizes a message, whatever its MessageId. */
    public static final String LOGICAL_ID = "waybill-id";

    /** The name of the writing application. */
    public static final String SOURCE = "waybill-source";

    /** The number of re-drives; absent on a first publication. */
    public static final String REDRIVE_COUNT = "waybill-redrive";

    /**
     * The failures before the last re-drives: a JSON array of objects with {@code entity}, {@code reason}, {@code enqueued},
     * {@code redriven} (times in ISO 8601) and {@code deliveries}.
     */
    public static final String REDRIVE_HISTORY = "waybill-history";

    /** The position of a re-driven message at its first enqueuing: a time in ISO 8601, a space and the sequence number. */
    public static final String FIRST_ENQUEUED = "waybill-enqueued";

    /** The one subscription that a re-drive is meant for. */
    public static final String REDRIVE_TARGET = "waybill-target";

    /** The UUID of the body in the claim store; the message's own body is empty. */
    public static final String CLAIM = "waybill-claim";

    /** Padding on messages with more than about 400 bytes of other properties (azure-sdk-for-java issue 41605). */
    public static final String PADDING = "waybill-padding";

    /** Only in a row, never on the wire: the form of a body that is not sent as bytes. Its one value is {@link #TEXT_BODY}. */
    public static final String BODY = "waybill-body";

    /** A body that is sent as an AMQP string value, as JMS sends texts; the row has its UTF-8. */
    public static final String TEXT_BODY = "text";

    /** W3C trace context. */
    public static final String TRACEPARENT = "traceparent";

    /** W3C trace state. */
    public static final String TRACESTATE = "tracestate";

    /** Equal to {@link #TRACEPARENT}; the Azure SDK reads this name first. */
    public static final String DIAGNOSTIC_ID = "Diagnostic-Id";

    /** The longest MessageId, SessionId and PartitionKey of Service Bus, in characters. */
    public static final int MAX_ID_LENGTH = 128;

    /** The longest time to live, 49 days and 17 hours: AMQP has 32 bits for its milliseconds. */
    public static final Duration LONGEST_TIME_TO_LIVE = Duration.ofMillis(0xffff_ffffL);

    public static final String RESERVED_PREFIX = "waybill-";
    private static final Set<String> OWN = Set.of(
            LOGICAL_ID, SOURCE, REDRIVE_COUNT, REDRIVE_HISTORY, FIRST_ENQUEUED, REDRIVE_TARGET, CLAIM, PADDING, BODY);
    private static final int DIGEST_LENGTH = 26;
    private static final Pattern REDRIVE_ID = Pattern.compile(".*~[0-9a-v]{26}", Pattern.DOTALL);

    private WireContract() {}

    /** Whether an id has the form that is reserved for re-drives, {@code <logical id>~<digest>}. */
    public static boolean isRedriveId(String id) {
        // Each append asks, and nearly all ids have no tilde.
        return id.indexOf('~') >= 0 && REDRIVE_ID.matcher(id).matches();
    }

    /**
     * The MessageId of a copy: the logical id, possibly truncated, and a digest of the origin. Equal origins give equal ids.
     */
    public static String redriveId(String logicalId, String... origin) {
        return startOfCopies(logicalId) + ContentId.shortDigest(logicalId, origin);
    }

    /** Whether a message with this MessageId is the one with the logical id, or a copy that a re-drive or replay has sent. */
    public static boolean isIdOf(@Nullable String messageId, String logicalId) {
        return messageId != null
                && (messageId.equals(logicalId)
                        || (isRedriveId(messageId)
                                && messageId
                                        .substring(0, messageId.length() - DIGEST_LENGTH)
                                        .equals(startOfCopies(logicalId))));
    }

    private static String startOfCopies(String logicalId) {
        int room = MAX_ID_LENGTH - DIGEST_LENGTH - 1;
        if (logicalId.length() <= room) {
            return logicalId + '~';
        }
        boolean inPair = Character.isHighSurrogate(logicalId.charAt(room - 1));
        return logicalId.substring(0, inPair ? room - 1 : room) + '~';
    }

    /** Whether Waybill itself sets this application property, in any case. */
    public static boolean isOwn(String property) {
        return OWN.contains(BrokerNames.key(property));
    }

    /**
     * Whether an append refuses this application property: names that begin with {@code waybill-}, in any case. Messages of other
     * senders may have those that are not {@linkplain #isOwn Waybill's own}.
     */
    public static boolean isReserved(String property) {
        return BrokerNames.key(property).startsWith(RESERVED_PREFIX);
    }
}
