package dev.waybill.deadletter;

import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a line beside its form: values that no broker gives and no row should have are refused. Of a line that an export
 * has written less is asked: whatever was collected once can come back.
 */
final class ImportRules {
    /** An entry of an index holds some 2,700 bytes. */
    private static final int LONGEST_ID_BYTES = 2_000;

    private static final Duration SHORTEST_TIME_TO_LIVE = Duration.ofMillis(1);

    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private ImportRules() {}

    /** The same. */
    static Arrival checked(Arrival arrival) {
        MessageContent content = arrival.content();
        require(isPossible(content.timeToLive()), "The member 'timeToLiveMillis' is not a number from 1 to 4294967295");
        require(arrival.origin().deliveries() >= 0, "The member 'deliveries' is negative");
        boolean exported = arrival.handle() instanceof ArrivalKey.Imported line && line.key() != null;
        if (!exported) {
            checkStrangers(content);
        }
        return arrival;
    }

    /** Whether the broker takes a time to live; null is none. */
    static boolean isPossible(@Nullable Duration timeToLive) {
        return timeToLive == null
                || (timeToLive.compareTo(SHORTEST_TIME_TO_LIVE) >= 0
                        && timeToLive.compareTo(WireContract.LONGEST_TIME_TO_LIVE) <= 0);
    }

    private static void checkStrangers(MessageContent content) {
        checkLength("id", content.messageId());
        checkLength("session", content.sessionId());
        @Nullable Object claim = content.properties().get(WireContract.CLAIM);
        require(claim == null || isUuid(claim), "The property '" + WireContract.CLAIM + "' is no UUID");
        @Nullable Object redrives = content.properties().get(WireContract.REDRIVE_COUNT);
        require(
                redrives == null || isCount(redrives),
                "The property '" + WireContract.REDRIVE_COUNT + "' is not a whole number from 0 on");
    }

    private static boolean isUuid(Object value) {
        return value instanceof String text && UUID_FORM.matcher(text).matches();
    }

    private static boolean isCount(Object value) {
        return value instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE;
    }

    private static void checkLength(String name, @Nullable String id) {
        require(
                id == null || id.getBytes(StandardCharsets.UTF_8).length <= LONGEST_ID_BYTES,
                "The member '" + name + "' is longer than " + LONGEST_ID_BYTES + " bytes");
    }

    private static void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
