package dev.waybill.servicebus.embedded.fault;

/** A point in the broker's work where a fault may occur. */
public enum FaultPoint {
    /** A client opens a connection. No entity. */
    CONNECT,
    /** A client presents a token. The entity is the token's. */
    CBS,
    /** A client attaches a link; the operation is {@code send} or {@code receive}. */
    ATTACH,
    /** A message or batch has arrived and is not yet stored. */
    BEFORE_STORE,
    /** A message or batch is stored but not acknowledged: the ambiguous send. */
    STORED_BEFORE_ACK,
    /** A message is about to be locked and delivered. */
    BEFORE_DELIVER,
    /** A message was delivered. */
    DELIVERED,
    /** A settlement has arrived and is not yet applied; the operation is its outcome. */
    BEFORE_SETTLE,
    /** A settlement is applied but not acknowledged; the operation is its outcome. */
    SETTLED_BEFORE_ACK,
    /** A management request; the operation is its name, for example {@code renew-lock}. */
    MANAGEMENT,
    /** A transaction is about to commit. No entity. */
    COMMIT
}
