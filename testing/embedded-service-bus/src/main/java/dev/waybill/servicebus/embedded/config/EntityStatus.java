package dev.waybill.servicebus.embedded.config;

public enum EntityStatus {
    /** Clients may send and receive. */
    ACTIVE,
    /** Clients may neither send nor receive. */
    DISABLED,
    /** Clients may only receive. */
    SEND_DISABLED,
    /** Clients may only send. */
    RECEIVE_DISABLED;

    public boolean sends() {
        return this == ACTIVE || this == RECEIVE_DISABLED;
    }

    public boolean receives() {
        return this == ACTIVE || this == SEND_DISABLED;
    }
}
