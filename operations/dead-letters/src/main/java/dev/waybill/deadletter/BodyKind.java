package dev.waybill.deadletter;

/** The kind of a message's body on the wire. */
public enum BodyKind {
    /** Bytes, as nearly all messages have them. */
    DATA,
    /** An AMQP value that is a text, as JMS sends them; stored as its UTF-8. */
    TEXT,
    /** Another AMQP value; stored as JSON in the manner of {@code Headers}. Can be kept and edited, not re-driven as it is. */
    VALUE,
    /** AMQP sequences; stored as text. Can be kept and edited, not re-driven as it is. */
    SEQUENCE
}
