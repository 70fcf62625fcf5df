package dev.waybill.standalone.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every alarm that the database can raise has its sentence and its runbook. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class AlarmAdviceTest {
    @Test
    void every_alarm_says_what_to_do(TestDatabase database) {
        String schema = database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all()));
        String view = DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .fetchSingle("select pg_get_viewdef('" + schema + ".relay_alarm'::regclass)")
                .get(0, String.class);
        List<String> alarms = Pattern.compile("'([a-z-]+)'::text(?: AS alarm|,?\\s+'(?:critical|warning)')")
                .matcher(view)
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(word -> !word.equals("critical") && !word.equals("warning"))
                .toList();

        assertThat(alarms).contains("no-relay", "paused");
        assertThat(AlarmAdvice.TEXTS.keySet()).containsAll(alarms).contains("unavailable", "throttled", "database");
        assertThat(AlarmAdvice.TEXTS.keySet())
                .allSatisfy(alarm -> assertThat(Files.exists(Path.of("../../docs/operations/runbooks", alarm + ".md")))
                        .as(alarm)
                        .isTrue());
    }
}
