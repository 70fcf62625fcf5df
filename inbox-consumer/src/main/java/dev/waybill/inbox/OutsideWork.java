package dev.waybill.inbox;

/** The policy for a handler that worked outside the message's transaction, as far as the consumer detects that. */
public enum OutsideWork {
    /** Fails the message with an {@link OutsideWorkException}, because each retry repeats such work. */
    REFUSE,
    /** Logs the work and continues: for work that is repeatable or read-only. */
    WARN
}
