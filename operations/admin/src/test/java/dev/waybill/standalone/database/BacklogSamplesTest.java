package dev.waybill.standalone.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class BacklogSamplesTest {
    @Test
    void a_sample_that_is_not_due_is_no_recovery(TestDatabase database) {
        var schema = new SchemaName(database.schema());
        Migrations.of(database.dataSource(), schema).apply(Feature.OUTBOX);
        assertThatExceptionOfType(FeatureMissing.class)
                .as("the caller says it once")
                .isThrownBy(() -> new BacklogSamples(database.dataSource(), schema, () -> 0).keep(List.of()));

        Migrations.of(database.dataSource(), schema).apply(Feature.CONSOLE);
        var samples = new BacklogSamples(database.dataSource(), schema, () -> 0);
        assertThat(samples.keep(List.of())).isTrue();
        assertThat(samples.keep(List.of())).isFalse();
    }
}
