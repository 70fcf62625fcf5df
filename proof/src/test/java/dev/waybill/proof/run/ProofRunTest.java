package dev.waybill.proof.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.proof.nemesis.Nemeses;
import dev.waybill.proof.report.Report;
import dev.waybill.proof.timeline.Timeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ProofRunTest {
    @TempDir
    private Path folder;

    @Test
    void a_short_run_with_kills_a_crash_and_broken_links_holds() throws Exception {
        Verdict verdict =
                run(1_500, List.of("kill-relay", "cut-broker", "database-crash", "broker-acknowledgement-lost"));

        assertThat(verdict.findings())
                .allSatisfy(finding -> assertThat(finding.examples()).isEmpty());
        assertThat(verdict.holds()).isTrue();
        Report.write(verdict, folder);
        assertThat(folder.resolve("report.html"))
                .content()
                .contains("The proof holds")
                .doesNotContain("http://", "https://");
        assertThat(folder.resolve("report.json")).content().contains("\"holds\" : true", "kill-relay");
    }

    @Test
    void an_unknown_nemesis_is_refused_with_those_that_there_are() {
        assertThatThrownBy(() -> Nemeses.named(List.of("flood")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("There is no nemesis flood; there are kill-relay, ");
    }

    private Verdict run(long messages, List<String> nemeses) throws Exception {
        var settings = new RunSettings(
                messages,
                7,
                nemeses,
                30,
                new RunSettings.Size(1, 1, 1),
                new RunSettings.Place(Files.createDirectories(folder), Optional.empty()));
        return new ProofRun(settings, new Timeline(System.out::println)).run();
    }
}
