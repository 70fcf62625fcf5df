package dev.waybill.servicebus.embedded.mailbox;

/** Counts the copies of one message by topics and forwarding. All copies share the count. */
final class Copies {
    /** More than any sensible chain of topics creates, and few enough for a test's memory. */
    private static final int MOST = 100_000;

    private int made;

    void another() {
        made++;
    }

    boolean tooMany() {
        return made >= MOST;
    }
}
