package dev.waybill.outbox;

import java.util.UUID;

/**
 * The claim store lacks the body of a message: it was removed too early, or writer and consumer use different stores. The
 * message can be handled once the body is back.
 */
public final class ClaimMissingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final UUID claim;

    public ClaimMissingException(String messageId, UUID claim) {
        super("The body of message '" + messageId + "' is missing: claim " + claim
                + " is not in the claim store. It was removed before the message was handled, or this consumer's store is"
                + " not the one that the writer's outbox uses");
        this.claim = claim;
    }

    public UUID claim() {
        return claim;
    }
}
