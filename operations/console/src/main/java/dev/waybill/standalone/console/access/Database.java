package dev.waybill.standalone.console.access;

import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import io.javalin.http.Context;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database of the console: read-only connections for viewers, and connections for changes. */
public record Database(DatabaseSettings settings, DataSource viewers, DataSource operators) {
    static final String ATTRIBUTE = "waybill.database";

    /** The database of a request, after the role check. */
    public static Optional<Database> of(Context request) {
        @Nullable Database database = request.attribute(ATTRIBUTE);
        return Optional.ofNullable(database);
    }

    public String name() {
        return settings.name();
    }

    public SchemaName schema() {
        return settings.schema();
    }
}
