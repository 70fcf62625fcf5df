package dev.waybill.servicebus.publisher;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.amqp.exception.LinkErrorContext;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import dev.waybill.relay.OutboxRow;
import dev.waybill.servicebus.OutgoingMessage;
import dev.waybill.servicebus.publisher.SendMeter.BatchSize;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Fills batches of one connection with as many rows as the link takes. */
final class BatchBuilder {
    /** To encode so few takes no longer than to wake another thread for it. */
    private static final int FEW_ROWS = 16;

    private static final int FEW_BYTES = 32 << 10;

    /** For a link to open: 2.5 s in all; without it the connection is given up. */
    private static final Retry UNTIL_OPEN = Retry.backoff(8, Duration.ofMillis(10))
            .filter(NotOpen.class::isInstance)
            .onRetryExhaustedThrow((spec, last) -> last.failure());

    private final ServiceBusSenderAsyncClient client;

    /**
     * Not the SDK's thread, which is all that reads and writes the connection's bytes. One of them for a connection: it
     * encodes faster than the SDK's thread writes, and leaves the other cores to what reads.
     */
    private final Scheduler encoding = Schedulers.single(Schedulers.parallel());

    private final BatchesAhead ahead = new BatchesAhead(encoding, System::nanoTime);

    BatchBuilder(ServiceBusSenderAsyncClient client) {
        this.client = client;
    }

    /**
     * A batch of rows from {@code start} on.
     *
     * @param limit most rows of the batch
     * @return fails with {@link NotConnected} if there is no link to ask for its size, with {@link Unsendable} if not
     *     even the first row can be sent, and with {@link BrokenOff} after an {@link Error}
     */
    Mono<BuiltBatch> fill(List<OutboxRow> rows, int start, int limit) {
        List<OutboxRow> most = most(rows, start, limit);
        return fill(most, start, areFew(most));
    }

    /** The same for a batch whose turn comes when the one before it is accepted; usually it is filled by then. */
    Mono<BuiltBatch> fillAhead(List<OutboxRow> rows, int start, int limit) {
        List<OutboxRow> most = most(rows, start, limit);
        boolean few = areFew(most);
        Mono<BuiltBatch> batch =
                BrokenOff.caughtWhenAsked(fill(most, start, few)).cache();
        if (few) {
            ahead.fillSoon(batch);
        } else {
            BatchesAhead.fillNow(batch);
        }
        return batch;
    }

    private static List<OutboxRow> most(List<OutboxRow> rows, int start, int limit) {
        return rows.subList(start, start + Math.min(rows.size() - start, limit));
    }

    private Mono<BuiltBatch> fill(List<OutboxRow> rows, int start, boolean few) {
        Mono<ServiceBusMessageBatch> empty = client.createMessageBatch().onErrorMap(NotConnected::new);
        Mono<BuiltBatch> filled = (few ? empty : empty.publishOn(encoding))
                .flatMap(batch -> BrokenOff.caught(() -> Mono.just(filled(batch, rows, start))));
        return filled.onErrorResume(NotOpen.class, notYet -> filled.retryWhen(UNTIL_OPEN));
    }

    private static boolean areFew(List<OutboxRow> rows) {
        if (rows.size() > FEW_ROWS) {
            return false;
        }
        long bytes = 0;
        for (OutboxRow row : rows) {
            bytes += row.content().body().length;
        }
        return bytes <= FEW_BYTES;
    }

    private static BuiltBatch filled(ServiceBusMessageBatch batch, List<OutboxRow> rows, int start) {
        BatchSize load = fill(batch, rows);
        return new BuiltBatch(batch, load, start + load.messages());
    }

    private static BatchSize fill(ServiceBusMessageBatch batch, List<OutboxRow> rows) {
        BatchSize load = BatchSize.NONE;
        int before = batch.getSizeInBytes();
        for (OutboxRow row : rows) {
            if (!adds(batch, row, load.messages() == 0)) {
                break;
            }
            load = load.plus(batch.getSizeInBytes() - before);
            before = batch.getSizeInBytes();
        }
        return load;
    }

    // A row that cannot be sent ends the batch before it, and is found out when it is the first of the next.
    private static boolean adds(ServiceBusMessageBatch batch, OutboxRow row, boolean first) {
        try {
            ServiceBusMessage message = OutgoingMessage.of(row.content());
            if (batch.tryAddMessage(message)) {
                return true;
            }
        } catch (ServiceBusException e) {
            if (!ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED.equals(e.getReason())) {
                throw e;
            }
            if (first && !isOpen(e)) {
                throw new NotOpen();
            }
        } catch (RuntimeException e) {
            if (first) {
                throw new Unsendable(row, e);
            }
        }
        if (first) {
            throw new Unsendable(row, batch.getMaxSizeInBytes());
        }
        return false;
    }

    // Of a link that was lost while it opened the SDK does not know the size and takes 256 KB for it
    // (ServiceBusSenderAsyncClient#createMessageBatch, ReactorSender#getLinkSize); no row is too large by that. Credit
    // comes after the size.
    private static boolean isOpen(ServiceBusException tooLarge) {
        return tooLarge.getCause() instanceof AmqpException cause
                && cause.getContext() instanceof LinkErrorContext link
                && link.getLinkCredit() != null
                && link.getLinkCredit() > 0;
    }

    /** A batch that is ready to be sent; it ends before this row. */
    record BuiltBatch(ServiceBusMessageBatch batch, BatchSize load, int end) {}

    /** Tells a failure before the send from one of the send; never leaves this package. */
    static final class NotConnected extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Throwable failure;

        NotConnected(Throwable failure) {
            super(null, failure, false, false);
            this.failure = failure;
        }

        Throwable failure() {
            return failure;
        }
    }

    /** The size that a row was measured by may not be the link's. Without a cause, which would blame the row. */
    private static final class NotOpen extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotOpen() {
            super("The link did not open", null, false, false);
        }
    }
}
