package dev.waybill.standalone.topology;

/** The result of one change: what was changed, or why it was not. */
public record ChangeResult(String namespace, String entity, State state, String text) {
    public enum State {
        CREATED,
        CHANGED,
        DELETED,
        /** Another process made the change first. */
        UNCHANGED,
        /** The namespace rejected it. */
        FAILED,
        /** No answer; the next apply completes it. */
        UNREACHED
    }
}
