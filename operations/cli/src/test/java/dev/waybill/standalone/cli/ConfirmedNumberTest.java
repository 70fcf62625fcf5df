package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.hold.Holds;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.WaybillRelay;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An operator types the number that he was shown; meanwhile the system goes on. */
@ExtendWith(PostgresExtension.class)
@Timeout(240)
@Tag("long")
class ConfirmedNumberTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private long position;

    @BeforeEach
    void configure(TestDatabase given) {
        database = given;
        schema = Program.tables(given);
        dsl = DSL.using(given.dataSource(), SQLDialect.POSTGRES);
        Program.with(directory, Program.database(given));
    }

    private void hold(String session, String... ids) {
        dsl.transaction(tx -> {
            HoldTable table = HoldTable.in(schema, HoldSide.OUTBOX);
            long hold = table.park(
                    tx.dsl(), HoldKey.session(HoldSide.OUTBOX, "orders", session), new Cause("TooLarge", "too large"));
            for (String id : ids) {
                table.add(
                        tx.dsl(),
                        hold,
                        new Origin(++position, Instant.EPOCH, 0),
                        MessageContent.builder(id)
                                .sessionId(session)
                                .body("x".getBytes(StandardCharsets.UTF_8))
                                .build());
            }
        });
    }

    /** Runs a verb on a terminal; returns what it printed. */
    private String onATerminal(Runnable meanwhile, String answer, String verb) throws Exception {
        Path script = directory.resolve("verb.sh");
        Files.writeString(
                script,
                "export WAYBILL_CONFIG='" + directory.resolve("waybill.yaml") + "'\nexec '"
                        + System.getProperty("java.home") + "/bin/java' -Xmx256m -XX:+UseSerialGC"
                        + " -XX:TieredStopAtLevel=1"
                        + " -Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener -cp '"
                        + System.getProperty("java.class.path") + "' " + WaybillRelay.class.getName() + " " + verb
                        + "\n");
        Path out = directory.resolve("terminal.txt");
        Process process = new ProcessBuilder("script", "-qfec", "bash " + script, "/dev/null")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.readString(out).contains("to go on"));
        meanwhile.run();
        process.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(out) + "code " + process.exitValue();
    }

    @Test
    void a_hold_that_came_after_the_question_is_not_skipped() throws Exception {
        hold("s1", "m1");
        onATerminal(() -> hold("s2", "m2", "m3"), "1", "outbox skip-all orders --reason r");

        List<String> left = Holds.ofOutbox(database.dataSource(), schema).list().stream()
                .map(hold -> hold.key().toString() + " " + hold.messages())
                .toList();
        assertThat(left).hasSize(1);
    }

    @Test
    void a_hold_that_messages_joined_after_the_question_is_left_alone_and_told_of() throws Exception {
        hold("s1", "m1");
        String told = onATerminal(() -> hold("s1", "m2", "m3"), "1", "outbox skip-all orders --reason r");

        long left = Holds.ofOutbox(database.dataSource(), schema).list().stream()
                .mapToLong(hold -> hold.messages())
                .sum();
        assertThat(left).isEqualTo(3);
        assertThat(told).contains("1 holds are at work, or have changed").endsWith("code 4");
    }
}
