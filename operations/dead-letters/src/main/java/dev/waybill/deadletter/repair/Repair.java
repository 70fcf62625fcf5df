package dev.waybill.deadletter.repair;

import dev.waybill.message.MessageContent;

/** The decision of a rule about a dead letter. */
public sealed interface Repair {
    /** Nothing: another rule or a person may know more. */
    record Leave() implements Repair {}

    /** It is brought back as it is. */
    record Redrive() implements Repair {}

    /**
     * It is edited and brought back.
     *
     * @param content what it is to say; ids and session as they were
     */
    record Fix(MessageContent content) implements Repair {}

    /**
     * Nothing more is to happen to it.
     *
     * @param why for the audit
     */
    record Discard(String why) implements Repair {}

    /** Nothing. */
    static Repair leave() {
        return new Leave();
    }

    /** It is brought back as it is. */
    static Repair redrive() {
        return new Redrive();
    }

    /** It is edited and brought back. */
    static Repair fix(MessageContent content) {
        return new Fix(content);
    }

    /** Nothing more is to happen to it. */
    static Repair discard(String why) {
        return new Discard(why);
    }
}
