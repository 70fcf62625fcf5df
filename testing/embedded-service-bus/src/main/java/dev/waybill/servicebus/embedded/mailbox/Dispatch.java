package dev.waybill.servicebus.embedded.mailbox;

/** Deliverable messages of a mailbox, and their assignment to receivers. */
interface Dispatch {
    void ready(Entry entry);

    void taken(Entry entry);

    void run();

    /** Bytes in use besides messages. */
    default long bytes() {
        return 0;
    }

    int receivers();

    void close(Refused why);
}
