package dev.waybill.relay;

import dev.waybill.hold.HeldMessage;
import dev.waybill.message.MessageContent;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One committed message as the table or a hold has it. Immutable as long as nobody writes to its body. */
public final class OutboxRow {
    private final long seq;
    private final MessageContent content;
    private final boolean held;
    private final OptionalLong appended;

    /** A row whose age is not known. */
    public OutboxRow(long seq, boolean held, MessageContent content) {
        this(seq, held, content, OptionalLong.empty());
    }

    /**
     * A row.
     *
     * @param appended when it was written, by {@link System#nanoTime}
     */
    public OutboxRow(long seq, boolean held, MessageContent content, OptionalLong appended) {
        this.appended = appended;
        this.seq = seq;
        this.held = held;
        this.content = content;
    }

    /** The row that was put on hold, as it is now. */
    public OutboxRow(HeldMessage message) {
        held = true;
        appended = OptionalLong.empty();
        seq = message.origin().position();
        content = message.content();
    }

    /** For tests of publishers: a row that is not held. */
    public static OutboxRow of(long seq, MessageContent content) {
        return new OutboxRow(seq, false, content);
    }

    /** In bytes: what of it can be large. */
    public long weight() {
        @Nullable String headers = content.headers();
        return content.body().length + (headers == null ? 0L : headers.length());
    }

    public boolean isHeld() {
        return held;
    }

    /**
     * When the row was written, in the terms of {@link System#nanoTime} of this process: by its age on the database's clock when it
     * was read. Empty if that is not known, as of a message that was held.
     */
    public OptionalLong appendedNanos() {
        return appended;
    }

    /** Place in the order of its session. */
    public long seq() {
        return seq;
    }

    /** All that is published of it. */
    public MessageContent content() {
        return content;
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
