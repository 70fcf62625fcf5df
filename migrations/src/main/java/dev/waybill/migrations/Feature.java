package dev.waybill.migrations;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A part of Waybill's tables that a service can have or leave out. Each has a folder of SQL and a Flyway history of its
 * own, and names nothing of a feature that it does not need.
 */
public enum Feature {
    /** What all features share: the audit of operators, and the orders to forget that every writer of messages obeys. */
    BASE("operator_action"),

    /** Messages that wait to be published, and the relay that publishes them. */
    OUTBOX("outbox_message", BASE),

    /** What consumers have handled, and what they hold. */
    INBOX("inbox_message", BASE),

    /** Messages that handlers defer until something else has happened. */
    INBOX_DEFERRAL("inbox_deferral", INBOX),

    /** State of each session, kept for handlers. */
    INBOX_STATE("inbox_state", INBOX),

    /** Responses to requests with idempotency keys. */
    IDEMPOTENCY("inbox_response", INBOX),

    /** Published messages, kept for replays and the trace. */
    RETENTION("outbox_published", OUTBOX),

    /** Bodies that are kept outside their messages. */
    CLAIMS("outbox_claim", OUTBOX),

    /** Dead letters that are brought home from the broker. */
    DEAD_LETTERS("dead_letter_message", OUTBOX),

    /** What happened to held, deferred and failed messages, for traces. */
    EVENTS("message_event", OUTBOX, INBOX, INBOX_DEFERRAL),

    /** Sessions of people in the console, and its curves. */
    CONSOLE("console_session", OUTBOX);

    private final String table;
    // List.of(), which cannot be changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<Feature> needs;

    Feature(String table, Feature... needs) {
        this.table = table;
        this.needs = List.of(needs);
    }

    /** All of them. */
    public static Feature[] all() {
        return values();
    }

    /**
     * The feature of a name such as {@code dead-letters}.
     *
     * @throws IllegalArgumentException naming those that there are
     */
    public static Feature named(String name) {
        for (Feature feature : values()) {
            if (feature.toString().equals(name)) {
                return feature;
            }
        }
        throw new IllegalArgumentException("There is no feature '" + name + "'; there are " + List.of(values()));
    }

    /** These and what they need, in the order in which they are applied. */
    static Set<Feature> withNeeds(Collection<Feature> wanted) {
        var all = new LinkedHashSet<Feature>();
        wanted.forEach(feature -> feature.addTo(all));
        return all;
    }

    private void addTo(Set<Feature> all) {
        needs.forEach(needed -> needed.addTo(all));
        all.add(this);
    }

    /** What has to be there before it. */
    public List<Feature> needs() {
        return needs;
    }

    /** The table that is there if the feature is. */
    public String table() {
        return table;
    }

    String history() {
        return "waybill_migration_" + name().toLowerCase(Locale.ROOT);
    }

    String folder() {
        return "dev/waybill/migrations/sql/" + this;
    }

    /** As in {@code waybill-relay migrate up dead-letters}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
