package dev.waybill.inbox;

/**
 * A client has sent the key of one request with another one. Nothing was done for it; an HTTP service answers 422. The
 * transaction may go on.
 */
public final class IdempotencyKeyReusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IdempotencyKeyReusedException(String owner, String key) {
        super("The idempotency key '" + key + "' of '" + owner + "' came with another request before");
    }
}
