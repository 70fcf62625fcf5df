package dev.waybill.relay.send;

import dev.waybill.message.WireContract;
import dev.waybill.relay.OutboxRow;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Identifies a row, also by its message id: after a failover behind a pooler, another row may have its value. */
public record RowKey(long seq, String messageId, @Nullable UUID claim) {
    private static final Pattern CLAIMED =
            Pattern.compile('"' + WireContract.CLAIM + "\": ?\"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\"");

    static RowKey of(OutboxRow row) {
        return new RowKey(row.seq(), row.messageId(), claim(row.content().headers()));
    }

    private static @Nullable UUID claim(@Nullable String headers) {
        if (headers == null || !headers.contains(WireContract.CLAIM)) {
            return null;
        }
        Matcher claimed = CLAIMED.matcher(headers);
        return claimed.find() ? UUID.fromString(claimed.group(1)) : null;
    }
}
