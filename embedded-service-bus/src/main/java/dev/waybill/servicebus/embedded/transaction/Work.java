package dev.waybill.servicebus.embedded.transaction;

/** A piece of work enlisted in a transaction. */
public interface Work {
    /** Whether it can be done now; throws the refusal if not. Has no effect. */
    void check();

    /** Does it. Called at once after {@link #check}. */
    void apply();

    /** The transaction was rolled back. */
    default void undo() {}
}
