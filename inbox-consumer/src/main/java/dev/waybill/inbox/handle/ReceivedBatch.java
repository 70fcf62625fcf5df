package dev.waybill.inbox.handle;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Receiver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one receiver that are handled one after the other: those that have been taken, and those that arrive
 * while they are handled, up to a number. Used by one thread.
 */
public final class ReceivedBatch {
    private final List<InboundMessage> taken;
    private final Receiver receiver;
    private final int most;

    /**
     * Messages that have been taken.
     *
     * @param taken can be added to as long as they are fewer than {@code most}
     */
    public ReceivedBatch(List<InboundMessage> taken, Receiver receiver, int most) {
        this.taken = taken;
        this.receiver = receiver;
        this.most = most;
    }

    List<InboundMessage> taken() {
        return taken;
    }

    /** The rest of those that have been taken. */
    ReceivedBatch from(int position) {
        return new ReceivedBatch(taken.subList(position, taken.size()), receiver, 0);
    }

    /** The message at a position; null if it has not arrived, or if there are enough. */
    @Nullable InboundMessage at(int position) throws InterruptedException {
        if (position == taken.size() && position < most) {
            look().ifPresent(taken::add);
        }
        return position < taken.size() ? taken.get(position) : null;
    }

    private Optional<InboundMessage> look() throws InterruptedException {
        try {
            return receiver.receive(Duration.ZERO);
        } catch (LockLostException e) {
            // The message in hand finds that out for itself, and so does the next look for messages.
            return Optional.empty();
        }
    }
}
