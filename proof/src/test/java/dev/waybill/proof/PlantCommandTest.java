package dev.waybill.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlantCommandTest {
    @TempDir
    private Path folder;

    /** Without a mistake nothing shows that the judges would see one. */
    @Test
    @Tag("long")
    @Timeout(300)
    void a_planted_bug_is_caught() {
        int exit = new CommandLine(new PlantCommand()).execute("message-ids-by-chance", "--report", folder.toString());

        assertThat(exit).isZero();
        assertThat(folder.resolve("message-ids-by-chance/report.json"))
                .content()
                .contains("\"holds\" : false", "every committed message arrived");
    }
}
