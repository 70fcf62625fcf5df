package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A database that says nothing. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class SilentDatabaseTest {
    @TempDir
    private Path directory;

    @Test
    @Tag("long")
    void a_watch_of_a_database_that_says_nothing_says_so(TestDatabase database) throws Exception {
        Program.tables(database);
        URI url = URI.create(database.server().jdbcUrl().substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(url.getPort())) {
            Program program = Program.with(
                    directory, Program.database(database).replace(":" + url.getPort(), ":" + proxy.port()));
            Path out = directory.resolve("out");
            Process watch = program.start(out, "watch", "--every", "200ms", "--json");
            try {
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> Files.readString(out).contains("alarms"));
                proxy.silence();

                await().atMost(Duration.ofSeconds(40))
                        .untilAsserted(() -> assertThat(Files.readString(out)).contains("\"error\""));
            } finally {
                watch.destroyForcibly();
            }
        }
    }
}
