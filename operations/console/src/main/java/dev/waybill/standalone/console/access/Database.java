package dev.waybill.standalone.console.access;

import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import io.javalin.http.Context;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database as the console uses it.
 *
 * @param viewers connections that cannot write
 * @param operators connections for changes
 */
public record Database(DatabaseSettings settings, DataSource viewers, DataSource operators) {
    static final String ATTRIBUTE = "waybill.database";

    /** The one that a request is about, once it is known that the person may look at it. */
    public static Optional<Database> of(Context request) {
        @Nullable Database database = request.attribute(ATTRIBUTE);
        return Optional.ofNullable(database);
    }

    /** Its name in the configuration. */
    public String name() {
        return settings.name();
    }

    /** Where Waybill's tables are. */
    public SchemaName schema() {
        return settings.schema();
    }
}
