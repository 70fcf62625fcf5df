package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.InstalledTool;
import dev.waybill.standalone.database.RelayPart;
import dev.waybill.standalone.database.Status;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules as a file, and those that need no relay to fire. */
class AlertRulesTest {
    private final AtomicLong nanos = new AtomicLong();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final OutboxMeters meters = new OutboxMeters(registry, "main", Duration.ofSeconds(15), nanos::get);

    @Test
    void figures_whose_reading_does_not_come_to_an_end_are_hidden_and_told_of() {
        meters.show(reading());
        assertThat(scrape())
                .extracting(Sample::name)
                .contains("waybill_outbox_relays_alive", "waybill_relay_destinations");
        assertThat(firing("WaybillFiguresOld")).isEmpty();

        nanos.addAndGet(Duration.ofSeconds(121).toNanos());

        assertThat(scrape())
                .extracting(Sample::name)
                .doesNotContain("waybill_outbox_relays_alive", "waybill_relay_destinations");
        assertThat(firing("WaybillFiguresOld")).hasSize(1);
        assertThat(firing("WaybillDatabaseUnreachable")).hasSize(1);
        assertThat(firing("WaybillNotWorking")).hasSize(1);

        meters.show(reading());
        assertThat(firing("WaybillFiguresOld")).isEmpty();
        assertThat(firing("WaybillDatabaseUnreachable")).isEmpty();
    }

    @Test
    void the_absence_of_every_relay_fires() {
        assertThat(AlertRule.named("WaybillAbsent").firing(List.of())).hasSize(1);
        assertThat(AlertRule.named("WaybillAbsent").firing(Sample.of("waybill_build_info{version=\"1\"} 1.0\n")))
                .isEmpty();
    }

    @Test
    void the_absence_of_one_service_is_not_hidden_by_another() {
        String shop = "waybill_build_info{job=\"shop\",instance=\"one\"} 1.0\n";
        String mail = "waybill_build_info{job=\"mail\",instance=\"one\"} 1.0\n";
        AlertRule rule = AlertRule.named("WaybillServiceAbsent");

        assertThat(rule.firing(Sample.of(shop + mail), Sample.of(mail))).containsExactly(Map.of("job", "shop"));
        assertThat(rule.firing(Sample.of(shop), Sample.of(shop.replace("one", "two"))))
                .isEmpty();
    }

    @Test
    void every_rule_fires_in_some_test() throws IOException {
        var tests = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/test/java/dev/waybill/standalone/metrics"))) {
            for (Path file : files.toList()) {
                tests.append(Files.readString(file));
            }
        }
        assertThat(AlertRule.all())
                .hasSizeGreaterThan(10)
                .allSatisfy(rule -> assertThat(tests).contains('"' + rule.name() + '"'));
    }

    @Test
    void every_alert_and_every_alarm_has_its_runbook() throws IOException {
        assertThat(AlertRule.all()).allSatisfy(rule -> {
            List<String> names = rule.runbook().contains("$labels.alarm") ? alarms() : List.of("");
            assertThat(names)
                    .allSatisfy(alarm -> assertThat(
                                    Path.of("../..", rule.runbook().replace("{{ $labels.alarm }}", alarm)))
                            .as(rule.name())
                            .isRegularFile());
        });
        assertThat(alarms()).hasSizeGreaterThan(9).contains("no-relay", "throttled", "paused");
    }

    /** The alarms of the database, as the index of the runbooks lists them. */
    private static List<String> alarms() throws IOException {
        String page = Files.readString(Path.of("../../docs/operations/runbooks/README.md"));
        String section = page.substring(page.indexOf("\n## By alarm"), page.indexOf("\n## By incident"));
        return Pattern.compile("\\[`([a-z-]+)`]")
                .matcher(section)
                .results()
                .map(name -> name.group(1))
                .toList();
    }

    @Test
    void the_rules_pass_prometheus_own_tests_where_its_tool_is_there() throws Exception {
        InstalledTool promtool = InstalledTool.of("promtool", AlertRule.FOLDER, "--version");

        promtool.run("check", "rules", AlertRule.FILE.getFileName().toString());
        promtool.run("test", "rules", "waybill.rules.test.yml");
    }

    private static MetricsReading reading() {
        return new MetricsReading(
                new Status("main", List.of(), List.of(), 0, List.of()),
                0,
                new RelayPart(true, 32, 1),
                List.of(),
                List.of(),
                List.of());
    }

    private List<Sample> scrape() {
        meters.hideOld();
        return Sample.of(registry.scrape());
    }

    private List<?> firing(String rule) {
        return AlertRule.named(rule).firing(scrape());
    }
}
