package dev.waybill.standalone.topology;

/**
 * The end of one deed.
 *
 * @param text what was changed, or why it was not
 */
public record ChangeResult(String namespace, String entity, State state, String text) {
    /** How a deed has ended. */
    public enum State {
        /** It was created. */
        CREATED,
        /** It was changed. */
        CHANGED,
        /** It was deleted. */
        DELETED,
        /** Somebody else has done it meanwhile. */
        UNCHANGED,
        /** The namespace has refused it. */
        FAILED,
        /** Nobody answered; the next apply completes it. */
        UNREACHED
    }
}
