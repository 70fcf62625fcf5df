package dev.waybill.outbox;

import java.util.UUID;

/**
 * The body of a message is not in the claim store: it was removed too early, or the store is not the one that the writer
 * uses. The message itself is still there and can be handled once the body is back.
 */
public final class ClaimMissingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final UUID claim;

    /** Which body of which message is missing. */
    public ClaimMissingException(String messageId, UUID claim) {
        super("The body of message '" + messageId + "' is missing: claim " + claim
                + " is not in the claim store. It was removed before the message was handled, or this consumer's store is"
                + " not the one that the writer's outbox uses");
        this.claim = claim;
    }

    /** The claim that was not found. */
    public UUID claim() {
        return claim;
    }
}
