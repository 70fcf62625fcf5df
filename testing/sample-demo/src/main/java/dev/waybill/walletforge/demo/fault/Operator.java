package dev.waybill.walletforge.demo.fault;

/** Decides about what is held and dead-lettered once the relay is killed no more. */
@FunctionalInterface
interface Operator {
    /** Returns when nothing is left to decide. */
    void work(long transactions) throws Exception;

    /** Whether something waits for a person now. Called on other threads. */
    default boolean waits() {
        return false;
    }
}
