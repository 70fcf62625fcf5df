package dev.waybill.servicebus.embedded.mailbox;

/**
 * How often one message was copied, by topics and on its ways from entity to entity. All of its copies share the
 * count.
 */
final class Copies {
    /** More than any sensible chain of topics makes of one message, and few enough for the memory of a test. */
    private static final int MOST = 100_000;

    private int made;

    void another() {
        made++;
    }

    /** Whether there must not be many more of them. */
    boolean tooMany() {
        return made >= MOST;
    }
}
