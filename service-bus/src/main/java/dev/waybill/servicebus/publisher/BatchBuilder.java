package dev.waybill.servicebus.publisher;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.amqp.exception.LinkErrorContext;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import com.azure.messaging.servicebus.models.CreateMessageBatchOptions;
import dev.waybill.relay.OutboxRow;
import dev.waybill.servicebus.OutgoingMessage;
import dev.waybill.servicebus.publisher.SendMeter.BatchSize;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Fills batches for one connection, up to {@link #MOST_BYTES}; a larger message goes alone, up to the link's size. */
final class BatchBuilder {
    // The limit of Premium, whose links take messages up to 100 MB. The SDK does not show the limit that a link names
    // for
    // batches (com.microsoft:max-message-batch-size, azure-sdk-for-java pull request 48214).
    private static final int MOST_BYTES = 1 << 20;

    /** Encoding so few rows is cheaper than waking another thread. */
    private static final int FEW_ROWS = 16;

    private static final int FEW_BYTES = 32 << 10;

    /** Time for a link to open, 2.5 s in all; then the connection is abandoned. */
    private static final Retry UNTIL_OPEN = Retry.backoff(8, Duration.ofMillis(10))
            .filter(NotOpen.class::isInstance)
            .onRetryExhaustedThrow((spec, last) -> last.failure());

    private final ServiceBusSenderAsyncClient client;

    /**
     * Encoding must not block the SDK's thread, which does all of the connection's I/O. One thread for each connection is
     * enough, because it encodes faster than the SDK writes.
     */
    private final Scheduler encoding = Schedulers.single(Schedulers.parallel());

    private final BatchesAhead ahead = new BatchesAhead(encoding, System::nanoTime);

    BatchBuilder(ServiceBusSenderAsyncClient client) {
        this.client = client;
    }

    /**
     * Builds a batch of at most {@code limit} rows from {@code start} on. Fails with {@link NotConnected} if the link does not
     * open, with {@link Unsendable} if the first row cannot be sent, and with {@link AbortedSend} after an {@link Error}.
     */
    Mono<BuiltBatch> fill(List<OutboxRow> rows, int start, int limit) {
        List<OutboxRow> most = most(rows, start, limit);
        return fill(most, start, areFew(most));
    }

    /** As {@link #fill(List, int, int)}, for the batch after the one in flight; usually it is filled in time. */
    Mono<BuiltBatch> fillAhead(List<OutboxRow> rows, int start, int limit) {
        List<OutboxRow> most = most(rows, start, limit);
        boolean few = areFew(most);
        Mono<BuiltBatch> batch =
                AbortedSend.caughtWhenAsked(fill(most, start, few)).cache();
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
        Mono<EmptyBatch> empty =
                client.createMessageBatch().flatMap(this::limited).onErrorMap(NotConnected::new);
        Mono<BuiltBatch> filled = (few ? empty : empty.publishOn(encoding))
                .flatMap(batch -> AbortedSend.caught(() -> Mono.just(filled(batch, rows, start))));
        Mono<BuiltBatch> open = filled.onErrorResume(NotOpen.class, notYet -> filled.retryWhen(UNTIL_OPEN));
        // The link may have opened after the SDK assumed its size; the next batch has the true one.
        return open.onErrorResume(Unsendable.class, tooLarge -> open);
    }

    private Mono<EmptyBatch> limited(ServiceBusMessageBatch alone) {
        return alone.getMaxSizeInBytes() <= MOST_BYTES
                ? Mono.just(new EmptyBatch(alone, alone))
                : client.createMessageBatch(new CreateMessageBatchOptions().setMaximumSizeInBytes(MOST_BYTES))
                        .map(several -> new EmptyBatch(several, alone));
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

    private static BuiltBatch filled(EmptyBatch empty, List<OutboxRow> rows, int start) {
        BatchSize load = fill(empty.several, rows, empty.several == empty.alone);
        return load.messages() > 0
                ? new BuiltBatch(empty.several, load, start + load.messages())
                : new BuiltBatch(empty.alone, fill(empty.alone, rows.subList(0, 1), true), start + 1);
    }

    private static BatchSize fill(ServiceBusMessageBatch batch, List<OutboxRow> rows, boolean needsFirst) {
        BatchSize load = BatchSize.NONE;
        int before = batch.getSizeInBytes();
        for (OutboxRow row : rows) {
            if (!adds(batch, row, needsFirst && load.messages() == 0)) {
                break;
            }
            load = load.plus(batch.getSizeInBytes() - before);
            before = batch.getSizeInBytes();
        }
        return load;
    }

    // A row that cannot be sent ends the batch, and is detected as the first row of the next.
    private static boolean adds(ServiceBusMessageBatch batch, OutboxRow row, boolean needed) {
        try {
            ServiceBusMessage message = OutgoingMessage.of(row.content());
            if (batch.tryAddMessage(message)) {
                return true;
            }
        } catch (ServiceBusException e) {
            if (!ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED.equals(e.getReason())) {
                throw e;
            }
            if (needed && !isOpen(e)) {
                throw new NotOpen();
            }
        } catch (RuntimeException e) {
            if (needed) {
                throw new Unsendable(row, e);
            }
        }
        if (needed) {
            throw new Unsendable(row, batch.getMaxSizeInBytes());
        }
        return false;
    }

    // If a link is lost while it opens, the SDK assumes a size of 256 KB
    // (ServiceBusSenderAsyncClient#createMessageBatch, ReactorSender#getLinkSize), so no row may be rejected by size.
    // Link credit arrives after the size.
    private static boolean isOpen(ServiceBusException tooLarge) {
        return tooLarge.getCause() instanceof AmqpException cause
                && cause.getContext() instanceof LinkErrorContext link
                && link.getLinkCredit() != null
                && link.getLinkCredit() > 0;
    }

    /** {@code alone} takes a row that does not fit into {@code several}. Small links have one batch for both. */
    private record EmptyBatch(ServiceBusMessageBatch several, ServiceBusMessageBatch alone) {}

    /** {@code end}: the row after the batch. */
    record BuiltBatch(ServiceBusMessageBatch batch, BatchSize load, int end) {}

    /** Marks a failure before the send. */
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

    /** The link's size is unknown. Without a cause, which would blame the row. */
    private static final class NotOpen extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotOpen() {
            super("The link did not open", null, false, false);
        }
    }
}
