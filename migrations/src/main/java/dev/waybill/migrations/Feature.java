package dev.waybill.migrations;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A group of tables that a service installs or omits, with its own SQL folder and Flyway history. Its tables refer only to
 * features that it {@linkplain #needs() needs}.
 */
public enum Feature {
    /** Shared by all features: the audit of operators' actions, and erasure orders. */
    BASE("operator_action"),

    /** Pending messages, and the relay that publishes them. */
    OUTBOX("outbox_message", BASE),

    /** Ids of handled messages, and holds of consumers. */
    INBOX("inbox_message", BASE),

    /** Messages that handlers have deferred. */
    INBOX_DEFERRAL("inbox_deferral", INBOX),

    /** State of sessions, for handlers. */
    INBOX_STATE("inbox_state", INBOX),

    /** Responses to requests with idempotency keys. */
    IDEMPOTENCY("inbox_response", INBOX),

    /** Published messages, retained for replays and traces. */
    RETENTION("outbox_published", OUTBOX),

    /** Bodies stored outside their messages. */
    CLAIMS("outbox_claim", OUTBOX),

    /** Dead letters collected from the broker. */
    DEAD_LETTERS("dead_letter_message", OUTBOX),

    /** History of held, deferred and failed messages, for traces. */
    EVENTS("message_event", OUTBOX, INBOX, INBOX_DEFERRAL),

    /** Sign-ins and charts of the console. */
    CONSOLE("console_session", OUTBOX);

    private final String table;
    // List.of() is immutable.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<Feature> needs;

    Feature(String table, Feature... needs) {
        this.table = table;
        this.needs = List.of(needs);
    }

    public static Feature[] all() {
        return values();
    }

    /** Parses a name such as {@code dead-letters}, or throws an {@link IllegalArgumentException}. */
    public static Feature named(String name) {
        for (Feature feature : values()) {
            if (feature.toString().equals(name)) {
                return feature;
            }
        }
        throw new IllegalArgumentException("There is no feature '" + name + "'; there are " + List.of(values()));
    }

    /** The features and their prerequisites, in the order of installation. */
    static Set<Feature> withNeeds(Collection<Feature> wanted) {
        var all = new LinkedHashSet<Feature>();
        wanted.forEach(feature -> feature.addTo(all));
        return all;
    }

    private void addTo(Set<Feature> all) {
        needs.forEach(needed -> needed.addTo(all));
        all.add(this);
    }

    public List<Feature> needs() {
        return needs;
    }

    /** The table whose presence shows that the feature is installed. */
    public String table() {
        return table;
    }

    String history() {
        return "waybill_migration_" + name().toLowerCase(Locale.ROOT);
    }

    String folder() {
        return "dev/waybill/migrations/sql/" + this;
    }

    /** The name in commands, such as {@code dead-letters}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
