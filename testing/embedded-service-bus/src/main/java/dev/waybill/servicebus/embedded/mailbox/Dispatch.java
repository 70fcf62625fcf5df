package dev.waybill.servicebus.embedded.mailbox;

/** The messages of a mailbox that are ready to go, and to whom they go. */
interface Dispatch {
    /** A message has become active. */
    void ready(Entry entry);

    /** A message is no longer active. */
    void taken(Entry entry);

    /** Hands out what can be handed out. */
    void run();

    /** How much room is taken up besides that of messages. */
    default long bytes() {
        return 0;
    }

    /** How many receivers there are. */
    int receivers();

    /** Every receiver loses its link. */
    void close(Refused why);
}
