package dev.waybill.migrations;

import dev.waybill.schema.SchemaName;
import java.util.stream.Collectors;

/** The database roles, and their grants. None of them needs to own the schema. */
public enum Role {
    /** The application: appends messages, schedules and cancels them, and nothing else. */
    APP,

    /** The relay: reads messages and publishes them. Also who collects dead letters, and who serves the console. */
    RELAY,

    /** A consumer: records what it has handled, and holds what it cannot handle. */
    CONSUMER,

    /**
     * Decides about held messages, dead letters, paused destinations and replays; sees everything, publishes
     * nothing.
     */
    OPERATOR,

    /**
     * An eraser: removes messages by id or session, wherever they are, and sees everything. The operator's role
     * cannot.
     */
    ERASER,

    /** Somebody who looks on. */
    READONLY;

    /**
     * The statements that give a database role what this one needs of some features, and of those that they need. The
     * role that owns the tables runs them.
     *
     * @param databaseRole an existing role, as it is to stand in the statements
     * @param features none: {@link Feature#OUTBOX} and {@link Feature#INBOX}
     */
    public String grants(SchemaName schema, String databaseRole, Feature... features) {
        return Migrations.wanted(features).stream()
                .map(feature -> FeatureFile.grants(feature, this))
                .filter(grants -> !grants.isEmpty())
                .map(grants -> grants.replace("$schema", schema.value()).replace("$role", databaseRole) + "\n")
                .collect(Collectors.joining());
    }
}
