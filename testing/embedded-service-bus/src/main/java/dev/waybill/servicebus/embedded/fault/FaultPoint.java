package dev.waybill.servicebus.embedded.fault;

/** Where in its work the broker can be made to fail. */
public enum FaultPoint {
    /** A client opens a connection. No entity. */
    CONNECT,
    /** A client presents a token. The entity is the one the token is for. */
    CBS,
    /** A client attaches a sender or a receiver to an entity; the operation is {@code send} or {@code receive}. */
    ATTACH,
    /** A message or batch has arrived and is not stored. */
    BEFORE_STORE,
    /** A message or batch is stored and the client does not know it: the ambiguous send. */
    STORED_BEFORE_ACK,
    /** A message is about to be locked and handed to a receiver. */
    BEFORE_DELIVER,
    /** A message has been handed to a receiver. */
    DELIVERED,
    /** A receiver's settlement has arrived and is not applied; the operation is its outcome. */
    BEFORE_SETTLE,
    /** A settlement is applied and the receiver does not know it; the operation is its outcome. */
    SETTLED_BEFORE_ACK,
    /** A request to an entity's management node; the operation is its name, for example {@code renew-lock}. */
    MANAGEMENT,
    /** A transaction is about to be committed. No entity. */
    COMMIT
}
