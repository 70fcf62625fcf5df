package dev.waybill.spring.autoconfigure;

import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.api.exception.FlywayValidateException;
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
                validate(migrations, schema);
            }
        }

        private static void validate(Migrations migrations, SchemaName schema) {
            try {
                migrations.validate();
            } catch (FlywayValidateException e) {
                throw isPending(e) ? new IllegalStateException(pending(schema, e), e) : e;
            }
        }

        private static boolean isPending(FlywayValidateException failure) {
            String why = String.valueOf(failure.getMessage());
            return why.contains("not applied to database") || why.contains("doesn't exist yet");
        }

        private static String pending(SchemaName schema, FlywayValidateException failure) {
            return "The tables in schema '" + schema + "' are missing, or are older than this version needs. Set"
                    + " waybill.migrations=apply, or run 'waybill-relay migrate up' as their owner. "
                    + failure.getMessage();
        }
    }
}
