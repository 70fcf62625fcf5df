package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables of an older version, and a database that says nothing. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class OldTablesTest {
    @TempDir
    private Path directory;

    @Test
    void verbs_say_that_the_tables_are_older(TestDatabase database) throws Exception {
        var schema = new SchemaName(database.schema());
        database.createTables(Migrations.sql(schema, 0, 12));
        Program program = Program.with(directory, Program.database(database));
        for (String verb : new String[] {"status", "watch --count 1", "outbox list", "outbox show 1", "inbox held list", "inbox check", "dlq list", "dlq show 1", "dlq groups", "dlq collectors", "dlq runs", "audit", "trace m1", "monitor", "replay list", "doctor", "migrate status", "migrate validate", "erasures list", "outbox release-all d --reason r", "dlq discard --id 1 --reason r --yes", "relay pause orders --reason r"}) {
            Result result = program.run(verb.split(" "));
            System.out.println("## old " + verb + " -> " + result.exitCode() + " " + result.err().lines().limit(2).toList() + (result.err().isBlank() ? result.out().lines().limit(1).toList() : ""));
        }
    }

    @Test
    void a_watch_of_a_database_that_says_nothing_says_so(TestDatabase database) throws Exception {
        Migrations.of(database.dataSource(), new SchemaName(database.schema())).apply();
        URI url = URI.create(database.server().jdbcUrl().substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(url.getPort())) {
            Program program = Program.with(directory, Program.database(database).replace(":" + url.getPort(), ":" + proxy.port()));
            Path out = directory.resolve("out");
            Process watch = program.start(out, "watch", "--every", "200ms", "--json");
            try {
                await().atMost(Duration.ofSeconds(20)).until(() -> Files.readString(out).contains("alarms"));
                proxy.silence();
                TimeUnit.SECONDS.sleep(2);
                long size = Files.size(out);
                TimeUnit.SECONDS.sleep(30);
                System.out.println("## watch said in 30 s of silence: " + (Files.size(out) - size) + " bytes, alive " + watch.isAlive());
                assertThat(Files.readString(out)).contains("\"error\"");
            } finally {
                watch.destroyForcibly();
            }
        }
    }
}
