package dev.waybill.standalone.console.access;

import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import javax.sql.DataSource;

/**
 * A database as the console uses it.
 *
 * @param viewers connections that cannot write
 * @param operators connections for changes
 */
public record Database(DatabaseSettings settings, DataSource viewers, DataSource operators) {
    /** Its name in the configuration. */
    public String name() {
        return settings.name();
    }

    /** Where Waybill's tables are. */
    public SchemaName schema() {
        return settings.schema();
    }
}
