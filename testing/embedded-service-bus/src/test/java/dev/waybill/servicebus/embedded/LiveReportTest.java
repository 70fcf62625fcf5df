package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import dev.waybill.servicebus.embedded.live.LiveRuns;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** A live run of a few cases, against a second broker: nothing is hidden, and nothing is left. */
@EmbeddedOnly("is about live runs themselves")
class LiveReportTest {
    /** One for all: the client for HTTP keeps what it trusted first. */
    private static final TlsIdentity IDENTITY = TlsIdentity.create();

    private static final String OTHER = "dev.waybill.servicebus.embedded.filter.SqlFilterLogicTest";

    private final EmbeddedServiceBus target = EmbeddedServiceBus.builder()
            .queue("not-of-the-run")
            .accessKey("all", "YWxs")
            .administrationPort(0)
            .tls(IDENTITY)
            .start();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        target.close();
    }

    private List<String> run(String... selected) throws Exception {
        Path report = directory.resolve("report.md");
        LiveRuns.run(target, report, selected);
        return Files.readAllLines(report);
    }

    private static String row(String method, String outcome, String reason) {
        return "| `LiveSampleCases#" + method + "` | " + outcome + " | " + reason + " |";
    }

    @Test
    void every_case_is_in_the_report_with_what_became_of_it() throws Exception {
        List<String> report = run(LiveSampleCases.class.getName(), OTHER);
        assertThat(report)
                .contains(
                        row("that_holds", "same", ""),
                        row("that_looks_for_what_it_has_sent", "same", ""),
                        row("that_moves_time_after_a_send", "not applicable", "moves time ahead"),
                        row(
                                "that_expects_failures_where_there_is_no_broker_to_fail",
                                "not applicable",
                                "uses the broker's own administration"),
                        row(
                                "that_expects_words_where_there_is_no_broker_to_say_them",
                                "not applicable",
                                "uses the broker's own administration"),
                        row("that_looks_at_locks", "not applicable", "sees locks, sessions or receivers"),
                        row("that_asks_nothing_of_the_namespace", "not applicable", "asks nothing of the namespace"),
                        row("that_is_disabled", "not applicable", "for no reason"))
                .anyMatch(line ->
                        line.startsWith("| `LiveSampleCases#that_needs_a_small_entity` | not applicable | describes"))
                .anyMatch(line ->
                        line.startsWith("| `LiveSampleCases#that_needs_a_short_lock` | not applicable | describes"))
                .anyMatch(line ->
                        line.contains("that_begins_with_a_target_that_is_missing` | not applicable | begins with"))
                .anyMatch(line -> line.contains("that_does_not_hold_and_makes_an_entity_itself` | different | ")
                        && line.contains("expected: 2 but was: 1"));
        assertThat(report.stream().filter(line -> line.contains("#that_comes_several_times [")))
                .hasSize(3)
                .allMatch(line -> line.contains("` | same | "));
        assertThat(report.stream().filter(line -> line.startsWith("| `LiveSampleCases#")))
                .hasSize(15);
        assertThat(report.stream().filter(line -> line.startsWith("| `SqlFilterLogicTest#")))
                .hasSize(methodsOf(Class.forName(OTHER)))
                .allMatch(line -> line.endsWith("| not applicable | does not go through the client library |"));
    }

    private static int methodsOf(Class<?> type) {
        return (int) List.of(type.getDeclaredMethods()).stream()
                .filter(method -> AnnotationSupport.isAnnotated(method, Testable.class))
                .count();
    }

    @Test
    void entities_are_removed_also_after_cases_that_differ() throws Exception {
        assertThat(run(LiveSampleCases.class.getName()))
                .anyMatch(line -> line.contains("that_holds` | same"))
                .anyMatch(line -> line.contains("that_does_not_hold_and_makes_an_entity_itself` | different"));
        var administration = new ServiceBusAdministrationClientBuilder()
                .connectionString(target.connectionString())
                .addPolicy(EmbeddedAdministrationPolicy.of(target))
                .buildClient();
        assertThat(administration.listQueues().stream())
                .extracting(queue -> queue.getName())
                .containsExactly("not-of-the-run");
    }

    @Test
    void a_namespace_that_behaves_otherwise_is_reported_as_different() throws Exception {
        target.faults().at(FaultPoint.BEFORE_STORE).then(FaultAction.pretend());
        assertThat(run(LiveSampleCases.class.getName() + "#that_looks_for_what_it_has_sent"))
                .anyMatch(line -> line.startsWith("| `LiveSampleCases#that_looks_for_what_it_has_sent` | different | ")
                        && line.contains("m1"));
    }

    @Test
    void a_namespace_that_cannot_be_reached_is_reported_as_different() throws Exception {
        target.close();
        assertThat(run(LiveSampleCases.class.getName() + "#that_looks_for_what_it_has_sent"))
                .anyMatch(line -> line.startsWith("| `LiveSampleCases#that_looks_for_what_it_has_sent` | different | ")
                        && line.contains("Connection refused"));
    }
}
