package dev.waybill.inbox.handle;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Receiver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages of one receiver to handle in order: those taken, and up to a limit those that arrive meanwhile. For one thread. */
public final class ReceivedBatch {
    private final List<InboundMessage> taken;
    private final Receiver receiver;
    private final int most;

    /** The taken messages are mutable if fewer than {@code most}. */
    public ReceivedBatch(List<InboundMessage> taken, Receiver receiver, int most) {
        this.taken = taken;
        this.receiver = receiver;
        this.most = most;
    }

    List<InboundMessage> taken() {
        return taken;
    }

    ReceivedBatch from(int position) {
        return new ReceivedBatch(taken.subList(position, taken.size()), receiver, 0);
    }

    /** Null if the message has not arrived, or the limit is reached. */
    @Nullable InboundMessage at(int position) throws InterruptedException {
        if (position == taken.size() && position < most) {
            arrived().ifPresent(taken::add);
        }
        return position < taken.size() ? taken.get(position) : null;
    }

    private Optional<InboundMessage> arrived() throws InterruptedException {
        try {
            return receiver.receive(Duration.ZERO);
        } catch (LockLostException e) {
            // The current message and the next receive detect the loss themselves.
            return Optional.empty();
        }
    }
}
