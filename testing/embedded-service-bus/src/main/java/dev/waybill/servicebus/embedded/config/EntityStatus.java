package dev.waybill.servicebus.embedded.config;

/** The status of an entity, which decides what clients may do. */
public enum EntityStatus {
    /** Everything. */
    ACTIVE,
    /** Nothing. */
    DISABLED,
    /** Receiving only. */
    SEND_DISABLED,
    /** Sending only. */
    RECEIVE_DISABLED;

    /** Whether messages may be sent to the entity. */
    public boolean sends() {
        return this == ACTIVE || this == RECEIVE_DISABLED;
    }

    /** Whether messages may be received from the entity. */
    public boolean receives() {
        return this == ACTIVE || this == SEND_DISABLED;
    }
}
