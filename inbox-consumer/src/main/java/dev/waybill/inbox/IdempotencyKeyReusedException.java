package dev.waybill.inbox;

/** A client sent an idempotency key with another request. It had no effect; HTTP services answer 422. The transaction stays usable. */
public final class IdempotencyKeyReusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IdempotencyKeyReusedException(String owner, String key) {
        super("The idempotency key '" + key + "' of '" + owner + "' belongs to another request; use a new key");
    }
}
