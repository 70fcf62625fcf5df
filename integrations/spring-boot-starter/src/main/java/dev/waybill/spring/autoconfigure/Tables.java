package dev.waybill.spring.autoconfigure;

import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Applies or checks Waybill's tables. With a Flyway of its own and a history of its own, in Waybill's schema: a
 * service's Flyway or Liquibase knows nothing of it.
 */
final class Tables {
    private static final Map<String, String> BEANS = Map.of(
            "dev.waybill.outbox.ClaimStore", "claims",
            "dev.waybill.inbox.Deferrals", "inbox-deferral",
            "dev.waybill.inbox.SessionState", "inbox-state",
            "dev.waybill.inbox.IdempotencyKeys", "idempotency",
            "dev.waybill.deadletter.DeadLetters", "dead-letters",
            "dev.waybill.deadletter.DeadLetterCollector", "dead-letters");

    private Tables() {}

    /**
     * The features that the service uses: always the outbox, for which there is a bean; the inbox if it has consumers;
     * retention if a destination retains; what its beans need; and those of {@code waybill.features}.
     */
    static Set<String> features(ConfigurableListableBeanFactory beans, WaybillProperties properties) {
        var features = new LinkedHashSet<>(properties.features());
        features.add("outbox");
        if (!properties.consumers().isEmpty()) {
            features.add("inbox");
        }
        if (properties.destinations().values().stream().anyMatch(DestinationProperties::retains)) {
            features.add("retention");
        }
        BEANS.forEach((type, feature) -> {
            if (ClassUtils.isPresent(type, Tables.class.getClassLoader())
                    && beans.getBeanNamesForType(
                                            ClassUtils.resolveClassName(type, Tables.class.getClassLoader()),
                                            true,
                                            false)
                                    .length
                            > 0) {
                features.add(feature);
            }
        });
        return features;
    }

    /** The mode, carried out. */
    static Runnable preparation(
            WaybillProperties.MigrationsMode mode, DataSource dataSource, SchemaName schema, Set<String> features) {
        if (mode == WaybillProperties.MigrationsMode.OFF) {
            return () -> {};
        }
        if (!ClassUtils.isPresent("dev.waybill.migrations.Migrations", Tables.class.getClassLoader())) {
            throw new IllegalStateException("waybill.migrations=" + mode.name().toLowerCase(Locale.ROOT)
                    + " needs the dependency dev.waybill:waybill-migrations, and Flyway's flyway-database-postgresql with"
                    + " it");
        }
        return () -> WithFlyway.prepare(mode, dataSource, schema, features);
    }

    private static final class WithFlyway {
        static void prepare(
                WaybillProperties.MigrationsMode mode, DataSource dataSource, SchemaName schema, Set<String> features) {
            Feature[] wanted = features.stream().map(Feature::named).toArray(Feature[]::new);
            Migrations migrations = Migrations.of(dataSource, schema);
            if (mode == WaybillProperties.MigrationsMode.APPLY) {
                migrations.apply(wanted);
            } else {
                validate(migrations, schema, wanted);
            }
        }

        private static void validate(Migrations migrations, SchemaName schema, Feature... features) {
            try {
                migrations.validate(features);
            } catch (FlywayValidateException e) {
                throw isPending(e) ? new IllegalStateException(pending(schema, e, features), e) : e;
            }
        }

        private static boolean isPending(FlywayValidateException failure) {
            String why = String.valueOf(failure.getMessage());
            return why.contains("not applied to database") || why.contains("doesn't exist yet");
        }

        private static String pending(SchemaName schema, FlywayValidateException failure, Feature... features) {
            return "The tables in schema '" + schema + "' are missing, or are older than this version needs. Set"
                    + " waybill.migrations=apply, or run 'waybill-relay migrate up "
                    + Arrays.stream(features).map(Feature::toString).collect(Collectors.joining(" "))
                    + "' as their owner. "
                    + failure.getMessage();
        }
    }
}
