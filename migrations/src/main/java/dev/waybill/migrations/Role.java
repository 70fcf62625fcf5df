package dev.waybill.migrations;

import dev.waybill.schema.Identifier;
import dev.waybill.schema.SchemaName;
import java.util.stream.Collectors;

/** The database roles, and their grants. None of them needs to own the schema. */
public enum Role {
    /** The application: appends, schedules and cancels messages. */
    APP,

    /** The relay: publishes messages. Also for collectors of dead letters and for the console. */
    RELAY,

    /** A consumer: records and holds messages. */
    CONSUMER,

    /** An operator: decides about holds, dead letters, paused destinations and replays. Reads everything. */
    OPERATOR,

    /** An eraser: deletes messages by id or session from all tables. Reads everything. */
    ERASER,

    /** Reads everything. */
    READONLY;

    /**
     * The grants on features and their prerequisites, for the owner of the tables to run. No role needs to own the schema.
     *
     * @param databaseRole an existing role, as it is spelled, without quotes
     */
    public String grants(SchemaName schema, String databaseRole, Feature... features) {
        String role = Identifier.quoted(databaseRole);
        return Migrations.wanted(features).stream()
                .map(feature -> FeatureFile.grants(feature, this))
                .filter(grants -> !grants.isEmpty())
                .map(grants -> grants.replace("$schema", schema.value()).replace("$role", role) + "\n")
                .collect(Collectors.joining());
    }
}
