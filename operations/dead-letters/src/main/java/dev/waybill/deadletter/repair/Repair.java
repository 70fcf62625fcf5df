package dev.waybill.deadletter.repair;

import dev.waybill.message.MessageContent;

/** What a rule decides about a dead letter. */
public sealed interface Repair {
    /** Another rule, or a person, may decide. */
    record Leave() implements Repair {}

    record Redrive() implements Repair {}

    /** Edit and re-drive; ids and session must stay as they were. */
    record Fix(MessageContent content) implements Repair {}

    /** Discard; the reason is for the audit. */
    record Discard(String why) implements Repair {}

    /** Leaves the letter to other rules. */
    static Repair leave() {
        return new Leave();
    }

    static Repair redrive() {
        return new Redrive();
    }

    static Repair fix(MessageContent content) {
        return new Fix(content);
    }

    static Repair discard(String why) {
        return new Discard(why);
    }
}
