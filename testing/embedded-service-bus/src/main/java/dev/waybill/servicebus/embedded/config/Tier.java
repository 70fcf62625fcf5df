package dev.waybill.servicebus.embedded.config;

/** The tier of a namespace, which determines its features. */
public enum Tier {
    /**
     * No topics, and queues without sessions, duplicate detection, forwarding, time to live, deletion on idle and transactions;
     * messages up to 256 KiB.
     */
    BASIC(256 * 1024, 256 * 1024, 500),
    /** All features; messages up to 256 KiB. */
    STANDARD(256 * 1024, 256 * 1024, 500),
    /** All features; messages up to 100 MiB, batches up to 1 MiB. */
    PREMIUM(100 * 1024 * 1024, 1024 * 1024, 4_000);

    private final int messageBytes;
    private final int batchBytes;
    private final int mostDeleted;

    Tier(int messageBytes, int batchBytes, int mostDeleted) {
        this.messageBytes = messageBytes;
        this.batchBytes = batchBytes;
        this.mostDeleted = mostDeleted;
    }

    /** The largest encoded message in bytes. */
    public int messageBytes() {
        return messageBytes;
    }

    /** The largest encoded batch in bytes. */
    public int batchBytes() {
        return batchBytes;
    }

    /** How many messages one request may delete. */
    public int mostDeleted() {
        return mostDeleted;
    }
}
