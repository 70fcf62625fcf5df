package dev.waybill.inbox.settle;

/** The result of handling one or several messages, for their receiver. */
public enum Handled {
    /** Every message is settled. The receiver continues. */
    SETTLED,
    /** A message is unsettled. The receiver must be closed, so that no message overtakes it. */
    UNSETTLED
}
