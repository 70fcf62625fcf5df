package dev.waybill.spring.autoconfigure;

import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.util.ClassUtils;

/**
 * Applies or checks Waybill's tables. With a Flyway of its own and a history of its own, in Waybill's schema: a
 * service's Flyway or Liquibase knows nothing of it.
 */
final class Tables {
    private Tables() {}

    /** The mode, carried out. */
    static Runnable preparation(WaybillProperties.MigrationsMode mode, DataSource dataSource, SchemaName schema) {
        if (mode == WaybillProperties.MigrationsMode.OFF) {
            return () -> {};
        }
        if (!ClassUtils.isPresent("dev.waybill.migrations.Migrations", Tables.class.getClassLoader())) {
            throw new IllegalStateException("waybill.migrations=" + mode.name().toLowerCase(Locale.ROOT)
                    + " needs the dependency dev.waybill:waybill-migrations, and Flyway's flyway-database-postgresql with"
                    + " it");
        }
        return () -> WithFlyway.prepare(mode, dataSource, schema);
    }

    private static final class WithFlyway {
        static void prepare(WaybillProperties.MigrationsMode mode, DataSource dataSource, SchemaName schema) {
            Migrations migrations = Migrations.of(dataSource, schema);
            if (mode == WaybillProperties.MigrationsMode.APPLY) {
                migrations.apply();
            } else {
                migrations.validate();
            }
        }
    }
}
