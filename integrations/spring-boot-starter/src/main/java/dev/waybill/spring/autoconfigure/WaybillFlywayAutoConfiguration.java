package dev.waybill.spring.autoconfigure;

import org.flywaydb.core.Flyway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.flyway.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;

/**
 * Keeps Boot 3's own Flyway still where the service has no migrations for it. Boot runs Flyway as soon as its
 * classes are there, and Waybill's migrations bring them: a service with Liquibase would then not start, or would
 * get a history table of Flyway's.
 */
@AutoConfiguration(beforeName = "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration")
@ConditionalOnClass(
        name = {
            "org.flywaydb.core.Flyway",
            "dev.waybill.migrations.Migrations",
            "org.springframework.boot.autoconfigure.flyway.FlywayMigrationStrategy"
        })
public final class WaybillFlywayAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(WaybillFlywayAutoConfiguration.class);

    /** A bean of the service's own comes first. */
    @Bean
    @ConditionalOnMissingBean
    FlywayMigrationStrategy waybillFlywayMigrationStrategy() {
        return WaybillFlywayAutoConfiguration::migrate;
    }

    private static void migrate(Flyway flyway) {
        if (flyway.info().all().length == 0) {
            LOG.debug("Flyway has no migrations of this service, and leaves its schema alone");
            return;
        }
        flyway.migrate();
    }
}
