package dev.waybill.proof.role;

/** The consumers, each of a subscription of its own name. */
enum Consumers {
    /** One message a transaction, in a long run up to 20; a failed message holds its session. Strict order. */
    LEDGER(5),
    /** Batches; a failed message becomes a dead letter. Order, except for dead letters. */
    AUDIT(3),
    /** A tenth of the messages, one a transaction, some of them deferred. */
    NOTIFY(2);

    private final int concurrency;

    Consumers(int concurrency) {
        this.concurrency = concurrency;
    }

    String consumerName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    int concurrency() {
        return concurrency;
    }
}
