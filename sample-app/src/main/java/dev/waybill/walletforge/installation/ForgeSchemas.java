package dev.waybill.walletforge.installation;

import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Where a run keeps its tables.
 *
 * @param forge the application's own
 * @param waybill outbox and inbox
 */
public record ForgeSchemas(SchemaName forge, SchemaName waybill) {
    private static final String LOCATION = "classpath:dev/waybill/walletforge/database/sql";

    /** Brings both schemas to the version of this code. */
    public void migrate(DataSource dataSource) {
        Flyway.configure(ForgeSchemas.class.getClassLoader())
                .dataSource(dataSource)
                .schemas(forge.value())
                .defaultSchema(forge.value())
                .locations(LOCATION)
                .load()
                .migrate();
        Migrations.of(dataSource, waybill).apply(Feature.all());
    }
}
