package dev.waybill.relay;

import dev.waybill.hold.HeldMessage;
import dev.waybill.message.BrokerNames;
import dev.waybill.message.MessageContent;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A committed message from the table or a hold. Immutable, unless a caller writes to its body.
 *
 * @param seq the sequence value, which orders a session
 * @param held whether the message or its session is on hold
 * @param content the message as it is published
 * @param appendedNanos when the row was written, as a {@link System#nanoTime} of this process, computed from its age on the
 * database's clock; empty for a message from a hold
 */
public record OutboxRow(long seq, boolean held, MessageContent content, OptionalLong appendedNanos) {
    /** A held message with its current content. */
    public static OutboxRow of(HeldMessage message) {
        return new OutboxRow(message.origin().position(), true, message.content(), OptionalLong.empty());
    }

    /** A row that is not held; for tests of publishers. */
    public static OutboxRow of(long seq, MessageContent content) {
        return new OutboxRow(seq, false, content, OptionalLong.empty());
    }

    /** Bytes of body and headers. */
    public long weight() {
        @Nullable String headers = content.headers();
        return content.body().length + (headers == null ? 0L : headers.length());
    }

    /** The logical id. */
    public String messageId() {
        return content.messageId();
    }

    /** The MessageId: the logical id, unless a re-drive has set another. */
    public String brokerMessageId() {
        return content.messageIdOnBroker();
    }

    /** The ordering boundary. */
    public @Nullable String sessionId() {
        return content.sessionId();
    }

    /** Equal for sessions that Service Bus takes for one. */
    public @Nullable String sessionKey() {
        return BrokerNames.keyOrNull(content.sessionId());
    }

    @Override
    public String toString() {
        return "row " + seq + " (message '" + messageId() + "')";
    }
}
