package dev.waybill.deadletter;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import dev.waybill.migrations.SchemaName;
import java.sql.SQLException;

/** A database role with the grants of an operator, and connections that act as it. */
final class OperatorRole extends DatabaseRole {
    OperatorRole(TestDatabase database, SchemaName schema) throws SQLException {
        super(database, schema, Role.OPERATOR);
    }
}
