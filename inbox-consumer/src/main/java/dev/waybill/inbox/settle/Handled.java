package dev.waybill.inbox.settle;

/** The end of handling a message, or several, for the receiver that they came from. */
public enum Handled {
    /** The broker was told about each of them. The receiver goes on. */
    SETTLED,
    /** One was left unsettled. The receiver must be given up, so that nothing overtakes the message. */
    UNSETTLED
}
