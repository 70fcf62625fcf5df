package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.spring.TestService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Waybill's tables by the service's own Liquibase. */
@ExtendWith(TestService.Extension.class)
class LiquibaseTest {
    @Test
    void a_changelog_makes_the_tables_and_a_later_one_adds_a_feature_only(TestService service, @TempDir Path directory)
            throws IOException {
        var schema = new SchemaName("liquibase_" + ProcessHandle.current().pid());
        Path changes = directory.resolve("waybill.sql");

        for (Feature[] features : new Feature[][] {{Feature.OUTBOX}, {Feature.OUTBOX, Feature.INBOX}}) {
            Files.writeString(changes, Migrations.changelog(schema, features));
            try (var context = Apps.on(service)
                    .with("spring.liquibase.enabled", "true")
                    .with("spring.liquibase.change-log", "file:" + changes)
                    .with("waybill.schema", schema.value())
                    .run()) {
                assertThat(context.getBean(JdbcTemplate.class)
                                .queryForList(
                                        "select id from databasechangelog where author = 'waybill'", String.class))
                        .hasSize(1 + features.length);
                assertThat(Migrations.of(service.pool(), schema).installed()).contains(features);
            }
        }
        new JdbcTemplate(service.pool()).execute("drop schema " + schema + " cascade");
    }
}
