package dev.waybill.walletforge.demo.intake;

/** Decides when a payment may be taken in. */
@FunctionalInterface
public interface Pace {
    /** As fast as the writers can. */
    Pace UNLIMITED = position -> {};

    /** Blocks until the payment at this position may be taken in. */
    void await(long position) throws InterruptedException;
}
