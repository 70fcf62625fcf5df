package dev.waybill.servicebus.embedded.config;

/** The tier of a namespace, which decides what it can do. */
public enum Tier {
    /** Queues without sessions and duplicate detection, no topics; messages up to 256 KiB. */
    BASIC(256 * 1024, 256 * 1024),
    /** Everything; messages up to 256 KiB. */
    STANDARD(256 * 1024, 256 * 1024),
    /** Everything; messages up to 100 MiB, batches up to 1 MiB. */
    PREMIUM(100 * 1024 * 1024, 1024 * 1024);

    private final int messageBytes;
    private final int batchBytes;

    Tier(int messageBytes, int batchBytes) {
        this.messageBytes = messageBytes;
        this.batchBytes = batchBytes;
    }

    /** The largest message, encoded, in bytes. */
    public int messageBytes() {
        return messageBytes;
    }

    /** The largest batch, encoded, in bytes. */
    public int batchBytes() {
        return batchBytes;
    }
}
