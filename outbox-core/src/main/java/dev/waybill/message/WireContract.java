package dev.waybill.message;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/** Names and limits that the writer of a message, the relay and the consumer agree on. */
public final class WireContract {
    /** Application property with the logical id: what the inbox keys on, whatever MessageId the broker saw. */
    public static final String LOGICAL_ID = "waybill-id";

    /** Application property with the name of the writing application. */
    public static final String SOURCE = "waybill-source";

    /** Application property that counts re-drives; absent on a first publication. */
    public static final String REDRIVE_COUNT = "waybill-redrive";

    /**
     * Application property with what the message met before each of its last re-drives: an array of JSON objects
     * with the members {@code entity}, {@code reason}, {@code enqueued}, {@code redriven} (times in ISO 8601) and
     * {@code deliveries}.
     */
    public static final String REDRIVE_HISTORY = "waybill-history";

    /**
     * Application property of a re-drive that says where the message stood when it was enqueued for the first
     * time: a time in ISO 8601, a space and the sequence number.
     */
    public static final String FIRST_ENQUEUED = "waybill-enqueued";

    /** Application property that names the one subscription a re-drive is meant for. */
    public static final String REDRIVE_TARGET = "waybill-target";

    /**
     * Application property that names the body of a message whose own body is empty: a UUID, for the claim store.
     */
    public static final String CLAIM = "waybill-claim";

    /**
     * Application property without meaning, on messages whose other properties take more than some 400 bytes: the
     * Azure SDK could not send them without it (azure-sdk-for-java issue 41605).
     */
    public static final String PADDING = "waybill-padding";

    /**
     * Among a row's headers, and never on the wire: how the body is sent if not as bytes. The one value is {@link
     * #TEXT_BODY}.
     */
    public static final String BODY = "waybill-body";

    /** The body is the UTF-8 of a text, to be sent as an AMQP value, as JMS sends texts. */
    public static final String TEXT_BODY = "text";

    /** W3C trace context. */
    public static final String TRACEPARENT = "traceparent";

    /** W3C trace state. */
    public static final String TRACESTATE = "tracestate";

    /** The property that the Azure SDK reads before {@link #TRACEPARENT}; carries the same value. */
    public static final String DIAGNOSTIC_ID = "Diagnostic-Id";

    /** Longest MessageId, SessionId and PartitionKey that Service Bus takes, in characters. */
    public static final int MAX_ID_LENGTH = 128;

    /** Longest time to live: AMQP counts its milliseconds in 32 bits, 49 days and 17 hours. */
    public static final Duration LONGEST_TIME_TO_LIVE = Duration.ofMillis(0xffff_ffffL);

    /** Buckets that sessions are hashed to; the database computes the hash. */
    public static final int BUCKETS = 32;

    private static final Set<String> RESERVED = Set.of(
            LOGICAL_ID, SOURCE, REDRIVE_COUNT, REDRIVE_HISTORY, FIRST_ENQUEUED, REDRIVE_TARGET, CLAIM, PADDING, BODY);
    private static final Pattern REDRIVE_ID = Pattern.compile(".*~[0-9a-v]{26}");

    private WireContract() {}

    /** Whether an id has the form that only a re-drive may give: {@code <logical id>~<digest>}. */
    public static boolean isRedriveId(String id) {
        // Nearly all ids have none, and every append asks.
        return id.indexOf('~') >= 0 && REDRIVE_ID.matcher(id).matches();
    }

    /**
     * The broker id of a copy: the logical id, shortened if need be, and a digest of where the copy comes from.
     * The same origin gives the same id.
     *
     * @param origin what tells this copy from all others of the message
     */
    public static String redriveId(String logicalId, String... origin) {
        String digest = ContentId.shortDigest(logicalId, origin);
        int room = MAX_ID_LENGTH - digest.length() - 1;
        return (logicalId.length() > room ? logicalId.substring(0, room) : logicalId) + '~' + digest;
    }

    /** Whether only Waybill may set an application property. */
    public static boolean isReserved(String property) {
        return RESERVED.contains(property);
    }
}
