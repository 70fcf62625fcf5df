package dev.waybill.inbox;

/**
 * Decides about a message whose handler has worked outside the message's transaction, as far as that is found
 * out.
 */
public enum OutsideWork {
    /** The message fails with an {@link OutsideWorkException}: work outside happens again with each try. */
    REFUSE,
    /** It is logged, and the message goes on: for work that may happen more than once, or only reads. */
    WARN
}
