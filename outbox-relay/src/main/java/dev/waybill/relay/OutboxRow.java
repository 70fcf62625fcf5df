package dev.waybill.relay;

import dev.waybill.hold.HeldMessage;
import dev.waybill.message.MessageContent;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One committed message as the table or a hold has it. Immutable as long as nobody writes to its body.
 *
 * @param seq place in the order of its session
 * @param held whether it is on hold, or its session is
 * @param content all that is published of it
 * @param appendedNanos when the row was written, in the terms of {@link System#nanoTime} of this process: by its age on the
 *     database's clock when it was read. Empty if that is not known, as of a message that was held
 */
public record OutboxRow(long seq, boolean held, MessageContent content, OptionalLong appendedNanos) {
    /** The row that was put on hold, as it is now. */
    public static OutboxRow of(HeldMessage message) {
        return new OutboxRow(message.origin().position(), true, message.content(), OptionalLong.empty());
    }

    /** For tests of publishers: a row that is not held. */
    public static OutboxRow of(long seq, MessageContent content) {
        return new OutboxRow(seq, false, content, OptionalLong.empty());
    }

    /** In bytes: what of it can be large. */
    public long weight() {
        @Nullable String headers = content.headers();
        return content.body().length + (headers == null ? 0L : headers.length());
    }

    /** The logical id. */
    public String messageId() {
        return content.messageId();
    }

    /** The MessageId on the broker: the logical id, unless a re-drive gave another. */
    public String brokerMessageId() {
        return content.messageIdOnBroker();
    }

    /** The ordering boundary. */
    public @Nullable String sessionId() {
        return content.sessionId();
    }

    @Override
    public String toString() {
        return "row " + seq + " (message '" + messageId() + "')";
    }
}
