package dev.waybill.servicebus.publisher;

import java.util.concurrent.atomic.LongAdder;

/** Counts sends to one destination. Thread-safe. */
final class SendMeter {
    /** The size that is billed as one operation. */
    private static final long BILLED_BYTES = 64 * 1024;

    private final LongAdder sends = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder operations = new LongAdder();

    static long operationsOf(long messageBytes) {
        return Math.max(1, (messageBytes + BILLED_BYTES - 1) / BILLED_BYTES);
    }

    void sent(BatchSize load) {
        sends.increment();
        messages.add(load.messages());
        bytes.add(load.bytes());
        operations.add(load.operations());
    }

    void accepted(int count) {
        accepted.add(count);
    }

    SendCount count() {
        return new SendCount(sends.sum(), messages.sum(), accepted.sum(), bytes.sum(), operations.sum());
    }

    record BatchSize(int messages, long bytes, long operations) {
        static final BatchSize NONE = new BatchSize(0, 0, 0);

        BatchSize plus(long messageBytes) {
            return new BatchSize(messages + 1, bytes + messageBytes, operations + operationsOf(messageBytes));
        }
    }
}
